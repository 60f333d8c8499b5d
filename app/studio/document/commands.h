// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTextDocument>
#include <QUndoCommand>
#include <vector>

#include "app/studio/document/source_file.h"
#include "core/project/project.h"

namespace kernelgen::studio {

class ProjectDocument;

/// One project in place of another.
class ProjectCommand : public QUndoCommand {
public:
    ProjectCommand(ProjectDocument& document, const QString& text, Project before, Project after, QString mergeKey);

    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* later) override;

private:
    ProjectDocument& document_;
    Project before_, after_;
    QString merge_key_;
};

/// Other values of a variant's tunables: in the project, and in its source where that holds them.
class TunableCommand : public QUndoCommand {
public:
    TunableCommand(ProjectDocument& document, const QString& text, Project before, Project after, QString mergeKey);

    /// The places of the values in the source, before it is pushed; `joined`: the command before it takes this one.
    void setEdits(SourceFile& source, std::vector<TextEdit> edits, bool joined);
    /// Whether a command of this key that is pushed now would become part of this one.
    bool takes(const QString& mergeKey) const { return !merge_key_.isEmpty() && merge_key_ == mergeKey; }
    bool hasEdits() const { return !edits_.empty(); }

    void undo() override;
    void redo() override;
    int id() const override { return 2; }
    bool mergeWith(const QUndoCommand* later) override;

private:
    ProjectDocument& document_;
    Project before_, after_;
    QString merge_key_;
    QPointer<SourceFile> source_;
    std::vector<TextEdit> edits_;
    bool joined_ = false, done_ = false;
};

/// An edit that the text of a source already holds in its own history.
class TextCommand : public QUndoCommand {
public:
    explicit TextCommand(QTextDocument& text);

    void undo() override;
    void redo() override;

private:
    QPointer<QTextDocument> text_;
    bool done_ = true;
};

}  // namespace kernelgen::studio
