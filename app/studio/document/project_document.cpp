// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/project_document.h"

#include <algorithm>
#include <system_error>

#include "app/studio/application/text.h"
#include "app/studio/document/commands.h"
#include "app/studio/document/further_files.h"
#include "app/studio/document/literals.h"
#include "app/studio/document/source_sets.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/files/sources.h"
#include "core/generate/generate.h"
#include "core/project/names.h"
#include "core/project/project_file.h"
#include "core/project/validate.h"

namespace kernelgen::studio {

namespace {

std::string projectTextOnDisk(const Project& project) {
    return project.folder.empty() ? "" : read_file(project.folder / "project.json").value_or("");
}

}  // namespace

ProjectDocument::ProjectDocument(QObject* parent)
    : QObject(parent), literals_(new Literals(*this, this)), further_(new FurtherFiles(*this, this)) {
    connect(further_, &FurtherFiles::stale, this, &ProjectDocument::loadSources);
}

QString ProjectDocument::title() const { return toQt(project_.definition.name); }

QString ProjectDocument::folder() const {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(project_.folder, error);
    return toQt((error ? project_.folder : absolute.lexically_normal()).string());
}

bool ProjectDocument::isModified() const {
    if (!open_) return false;
    const auto edited = [](const auto& each) { return each.second->document().isModified(); };
    return project_ != saved_ || std::ranges::any_of(sources_, edited);
}

Diagnostics ProjectDocument::open(const QString& path) {
    Validated<Project> loaded = load_draft(path.toStdString());
    if (!loaded) return loaded.error();
    start(std::move(*loaded));
    return {};
}

void ProjectDocument::start(Project draft) {
    undo_.clear();
    const auto closed = std::move(sources_);  // editors show them until they are told
    sources_.clear();
    open_ = true;
    project_ = std::move(draft);
    saved_ = project_;
    on_disk_ = projectTextOnDisk(project_);
    loadSources();
    check();
    emit opened();
}

void ProjectDocument::close() {
    undo_.clear();
    const auto closed = std::move(sources_);  // editors show them until they are told
    sources_.clear();
    project_ = {};
    open_ = false;
    check();
    emit opened();
}

Result<void> ProjectDocument::write() {
    for (SourceFile* source : sources()) {
        if (const Result<void> written = source->save(); !written) return written;
    }
    const Result<void> saved = save_project(project_);
    if (saved) on_disk_ = project_text(project_);
    return saved;
}

Result<void> ProjectDocument::writeCopy(const std::filesystem::path& target) const {
    for (const SourceFile* source : sources()) {
        if (const Result<void> written = source->copyTo(target); !written) return written;
    }
    Project copy = project_;
    copy.folder = target;
    return save_project(copy);
}

Result<void> ProjectDocument::save() {
    if (const Result<void> written = write(); !written) return written;
    saved_ = project_;
    emit saved();
    emit modifiedChanged();
    return {};
}

Result<void> ProjectDocument::saveAs(const QString& folder) {
    const std::filesystem::path target = folder.toStdString();
    std::error_code error;
    if (std::filesystem::exists(target / "project.json", error)) {
        return fail(target.string() + " already holds a project; choose another folder");
    }
    const bool is_new = std::filesystem::create_directories(target, error);
    if (error) return fail("cannot make the folder " + target.string() + ": " + error.message());
    if (const Result<void> written = writeCopy(target); !written) {
        if (is_new) std::filesystem::remove_all(target, error);
        return written;
    }
    const Diagnostics wrong = open(folder);
    return wrong.empty() ? Result<void>{} : fail(to_string(wrong));
}

Diagnostics ProjectDocument::revert() {
    Validated<Project> loaded = load_draft(project_.folder);
    if (!loaded) return loaded.error();
    undo_.beginMacro(tr("revert to what is saved"));
    if (*loaded != project_) undo_.push(new ProjectCommand(*this, tr("revert"), project_, *loaded, {}));
    saved_ = *loaded;
    on_disk_ = projectTextOnDisk(project_);
    Diagnostics unreadable;
    for (SourceFile* source : sources()) {
        const Result<void> read = source->reload();
        if (!read) unreadable.push_back({"", "", read.error().message, ""});
    }
    undo_.endMacro();
    emit modifiedChanged();
    return unreadable;
}

bool ProjectDocument::changedOnDisk() const {
    if (!open_) return false;
    const std::string text = projectTextOnDisk(project_);
    if (!text.empty() && text != on_disk_) return true;
    return std::ranges::any_of(sources_, [](const auto& each) { return each.second->changedOnDisk(); });
}

void ProjectDocument::keepMine() {
    on_disk_ = projectTextOnDisk(project_);
    saved_ = load_draft(project_.folder).value_or(Project{});
    for (const auto& [file, source] : sources_) source->keepMine();
    emit modifiedChanged();
}

void ProjectDocument::replace(const QString& text, const Project& project,
                              const std::map<std::string, std::string>& texts) {
    undo_.beginMacro(text);
    edit(text, [&](Project& edited) {
        edited = project;
        edited.folder = project_.folder;
    });
    setTexts(texts);
    undo_.endMacro();
}

void ProjectDocument::setTexts(const std::map<std::string, std::string>& texts) {
    for (const auto& [file, content] : texts) {
        if (!source_path_problem(file)) addSource(file);
        SourceFile* source = this->source(file);
        if (source != nullptr && source->text() != content) source->replaceText(toQt(content));
    }
    loadSources();
}

void ProjectDocument::edit(const QString& text, const std::function<void(Project&)>& change, const QString& mergeKey) {
    Project after = project_;
    change(after);
    if (complete_) complete_(after);
    if (after == project_) return;
    undo_.push(new ProjectCommand(*this, text, project_, std::move(after), mergeKey));
}

void ProjectDocument::setTunable(const std::string& variant, const std::string& tunable, std::int64_t value) {
    setTunables(tr("%1 = %2").arg(toQt(tunable)).arg(value), variant, {{tunable, value}},
                toQt("tunable " + variant + " " + tunable));
}

void ProjectDocument::setTunables(const QString& text, const std::string& variant, const Configuration& configuration,
                                  const QString& mergeKey) {
    Project after = project_;
    const auto changed = std::ranges::find(after.variants, variant, &Variant::name);
    if (changed == after.variants.end()) return;
    for (Tunable& each : changed->tunables) {
        const auto value = configuration.find(each.name);
        if (value != configuration.end() && std::ranges::contains(each.values, value->second)) {
            each.value = value->second;
        }
    }
    const std::vector<TextEdit> edits = literals_->edits(*changed, configuration_of(*changed));
    if (edits.empty() && after == project_) return;
    SourceFile* source = this->source(changed->source);
    if (!edits.empty() && is_unedited(*changed, source->text())) {
        changed->generated = hash_hex(edited(source->text(), edits));
    }
    const auto* last = undo_.index() == undo_.count() && undo_.index() > 0
                           ? dynamic_cast<const TunableCommand*>(undo_.command(undo_.index() - 1))
                           : nullptr;
    const bool joined = last != nullptr && last->hasEdits() && last->takes(mergeKey);
    auto command = std::make_unique<TunableCommand>(*this, text, project_, std::move(after), mergeKey);
    if (!edits.empty()) command->setEdits(*source, edits, joined);
    undo_.push(command.release());
    if (!edits.empty()) literals_->take(source->name(), edits);
}

/// An edit that is part of a command which undoes it.
void ProjectDocument::editOwn(SourceFile& source, const std::vector<TextEdit>& edits, bool joined) {
    const bool nested = std::exchange(editing_own_, true);
    source.apply(edits, joined);
    editing_own_ = nested;
}

void ProjectDocument::dropUnread() {
    edit(tr("remove what cannot be read"), [](Project& project) { project.unread.clear(); });
}

Validated<int> ProjectDocument::regenerate(bool force) {
    if (Diagnostics unread = unread_parts(project_); !unread.empty()) return std::unexpected(std::move(unread));
    Validated<Regenerated> fresh = regenerated(project_, texts(), force);
    if (!fresh) return std::unexpected(fresh.error());
    undo_.beginMacro(tr("generate sources"));
    edit(tr("generate sources"), [&](Project& project) { project.variants = fresh->variants; });
    int written = 0;
    for (const auto& [file, text] : fresh->texts) {
        SourceFile* source = this->source(file);
        if (source == nullptr || source->text() == text) continue;
        source->replaceText(toQt(text));
        ++written;
    }
    undo_.endMacro();
    return written;
}

std::vector<std::string> ProjectDocument::filesOf(const Variant& variant) const {
    std::vector<std::string> files = studio::filesOf(variant);
    for (const std::string& each : further_->names(variant)) {
        if (!std::ranges::contains(files, each)) files.push_back(each);
    }
    return files;
}

std::vector<SourceFile*> ProjectDocument::sources() const {
    std::vector<SourceFile*> result;
    for (const Variant& variant : project_.variants) {
        for (const std::string& name : filesOf(variant)) {
            SourceFile* file = source(name);
            if (file != nullptr && std::ranges::find(result, file) == result.end()) result.push_back(file);
        }
    }
    return result;
}

SourceFile* ProjectDocument::source(const std::string& file) const {
    const auto found = sources_.find(file);
    return found == sources_.end() ? nullptr : found->second.get();
}

std::map<std::string, std::string> ProjectDocument::texts() const {
    std::map<std::string, std::string> result;
    for (const auto& [file, source] : sources_) result[file] = source->text();
    return result;
}

void ProjectDocument::take(const Project& project) {
    const std::filesystem::path folder = project_.folder;
    project_ = project;
    project_.folder = folder;
    loadSources();
    check();
    emit changed();
    emit modifiedChanged();
}

void ProjectDocument::check() {
    body_.reset();
    diagnostics_.clear();
    if (!open_) return;
    diagnostics_ = errors_of(project_);
    if (project_.definition.body.empty()) return;
    if (Validated<Body> body = analyse(project_.definition)) body_ = std::move(*body);
}

/// A file that no variant names any more stays in memory: undo may bring it back.
void ProjectDocument::loadSources() {
    bool added = false;
    for (const Variant& variant : project_.variants) {
        for (const std::string& name : studio::filesOf(variant)) added = addSource(name) || added;
    }
    const bool others = further_->find();
    for (const Variant& variant : project_.variants) {
        for (const std::string& name : further_->names(variant)) added = addSource(name) || added;
    }
    if (added || others) emit sourcesChanged();
}

/// Whether it was not known before.
bool ProjectDocument::addSource(const std::string& file) {
    if (sources_.contains(file)) return false;
    auto& source = sources_[file];
    source = std::make_unique<SourceFile>(project_.folder, file);
    watch(*source);
    return true;
}

void ProjectDocument::watch(SourceFile& source) {
    QTextDocument& text = source.document();
    connect(&text, &QTextDocument::undoCommandAdded, this, [this, &text] {
        if (!editing_own_) undo_.push(new TextCommand(text));
    });
    connect(&text, &QTextDocument::modificationChanged, this, &ProjectDocument::modifiedChanged);
    connect(&text, &QTextDocument::contentsChanged, this, [this, &source] { emit sourceEdited(toQt(source.name())); });
}

}  // namespace kernelgen::studio
