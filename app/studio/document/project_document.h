// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoStack>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/studio/document/source_file.h"
#include "core/lang/body.h"
#include "core/project/project.h"

namespace kernelgen::studio {

class FurtherFiles;
class Literals;

/// The open project with its sources, as edited. Every change goes through `undoStack()`. Only `save` changes files on
/// disk. Lives in the GUI thread.
class ProjectDocument : public QObject {
    Q_OBJECT

public:
    explicit ProjectDocument(QObject* parent = nullptr);

    bool isOpen() const { return open_; }
    const Project& project() const { return project_; }
    const Project& projectOnDisk() const { return saved_; }  ///< as of the last `open` or `save`
    QString title() const;                                   ///< the operator's name
    QString folder() const;                                  ///< absolute

    /// Errors of the project as edited, updated after every change.
    const Diagnostics& diagnostics() const { return diagnostics_; }
    /// The body as checked, or null where it has errors.
    const Body* body() const { return body_ ? &*body_ : nullptr; }

    /// Opens a folder or its project.json. On errors, which are returned, the open project stays as it was.
    Diagnostics open(const QString& path);
    /// A project that is not on disk: what a new one begins as.
    void start(Project draft);
    void close();
    Result<void> save();
    /// A copy in another folder, without the rounds; that copy is then the open one. Errors: everything is as it was.
    Result<void> saveAs(const QString& folder);
    /// Reads the project from disk again, as one undoable step.
    Diagnostics revert();
    /// Whether another program has changed project.json or a source since it was read or written here.
    bool changedOnDisk() const;
    /// Takes the files on disk as the saved state, so that the open project counts as an edit of them.
    void keepMine();

    /// One undoable change, named as menus show it ("Undo TEXT"). Changes in sequence with the same non-empty
    /// `mergeKey` become one, as while typing in a field.
    void edit(const QString& text, const std::function<void(Project&)>& change, const QString& mergeKey = {});
    /// A whole project with the texts of sources, by file, as one undoable step.
    void replace(const QString& text, const Project& project, const std::map<std::string, std::string>& texts);
    /// Replaces the texts of files that differ, undoable. A file that is not there is a new one.
    void setTexts(const std::map<std::string, std::string>& texts);
    /// Applied to the project that every later edit makes, within the edit's step.
    void setCompletion(std::function<void(Project&)> complete) { complete_ = std::move(complete); }
    /// Sets a tunable of a variant, undoable; a drag of its slider is one step.
    void setTunable(const std::string& variant, const std::string& tunable, std::int64_t value);
    /// Sets the values of a configuration that the variant has and allows, as one step; in the source too, where it has
    /// literals.
    void setTunables(const QString& text, const std::string& variant, const Configuration& configuration,
                     const QString& mergeKey = {});
    /// Leaves out what project.json has and could not be read, undoable; `save` keeps it until then.
    void dropUnread();
    Literals& literals() { return *literals_; }
    /// Writes everything again that the definition generates, undoable; sources that a person edited only where
    /// `force`.
    Validated<int> regenerate(bool force);

    QUndoStack& undoStack() { return undo_; }
    bool isModified() const;  ///< whether anything differs from what is on disk by `open` or `save`

    /// The names of a variant's files: its source, its companions, and what it is built of beside them.
    std::vector<std::string> filesOf(const Variant& variant) const;
    const FurtherFiles& furtherFiles() const { return *further_; }
    /// The files of all variants, each once, in the variants' order.
    std::vector<SourceFile*> sources() const;
    SourceFile* source(const std::string& file) const;
    /// The texts of the sources as they stand, by file.
    std::map<std::string, std::string> texts() const;

signals:
    void opened();  ///< another project, or none: everything shown is stale
    void changed();
    void sourcesChanged();  ///< the list of files
    void sourceEdited(const QString& file);
    void saved();
    void modifiedChanged();

private:
    friend class ProjectCommand;
    friend class TunableCommand;
    void editOwn(SourceFile& source, const std::vector<TextEdit>& edits, bool joined);
    void take(const Project& project);
    void check();
    void loadSources();
    bool addSource(const std::string& file);
    void watch(SourceFile& source);
    Result<void> write();
    Result<void> writeCopy(const std::filesystem::path& target) const;

    bool open_ = false;
    Project project_;
    Project saved_;
    std::string on_disk_;  ///< project.json as last read or written
    std::function<void(Project&)> complete_;
    Diagnostics diagnostics_;
    std::optional<Body> body_;
    std::map<std::string, std::unique_ptr<SourceFile>> sources_;
    Literals* literals_;
    FurtherFiles* further_;
    bool editing_own_ = false;  ///< the command that edits a source is its own undo
    QUndoStack undo_;
};

}  // namespace kernelgen::studio
