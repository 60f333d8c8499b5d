// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTextDocument>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen::studio {

/// Text in place of what stands between two places of a source, in characters.
struct TextEdit {
    int begin = 0, end = 0;
    QString text;
};

/// One source of the open project as edited. Its text lives in a QTextDocument that editors share.
class SourceFile : public QObject {
    Q_OBJECT

public:
    SourceFile(std::filesystem::path folder, std::string name, QObject* parent = nullptr);

    const std::string& name() const { return name_; }  ///< relative to the project's folder
    std::filesystem::path path() const { return folder_ / name_; }
    QTextDocument& document() { return document_; }
    std::string text() const;

    /// Reads the file afresh; the text's own undo history begins anew. Where it cannot be read, `problem` says why.
    void load();
    const QString& problem() const { return problem_; }
    /// Replaces the whole text as one undoable edit.
    void replaceText(const QString& text);
    /// Makes edits, ascending and apart, as one undoable edit, or as more of the one before it.
    void apply(const std::vector<TextEdit>& edits, bool joined);
    /// Replaces the text by what is on disk, as one undoable edit.
    Result<void> reload();

    /// Writes the text where it differs from what was last read or written.
    Result<void> save();
    /// Writes the text to its place in another folder, and stays as it is. Errors: it could not be read.
    Result<void> copyTo(const std::filesystem::path& folder) const;
    /// Takes what is on disk as known, so that the text is an edit of it.
    void keepMine();
    /// Whether the file on disk is no longer what was last read or written.
    bool changedOnDisk() const;

private:
    std::filesystem::path folder_;
    std::string name_;
    QTextDocument document_;
    std::string on_disk_;
    QString problem_;
};

}  // namespace kernelgen::studio
