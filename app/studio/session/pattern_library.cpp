// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/pattern_library.h"

#include <QtConcurrentRun>

#include "app/studio/application/engine_words.h"
#include "core/base/file.h"

namespace kernelgen::studio {

namespace {

PatternLibrary::Content readPatterns() {
    return {.patterns = load_patterns(), .rules = load_rules().value_or(RuleBook()).rules};
}

Result<QString> quietly(const Result<void>& done) {
    return done ? Result<QString>(QString()) : std::unexpected(done.error());
}

}  // namespace

void PatternLibrary::reload() {
    QtConcurrent::run([] {
        return std::make_shared<const Content>(readPatterns());
    }).then(this, [this](const std::shared_ptr<const Content>& content) {
        content_ = content;
        emit changed();
    });
}

void PatternLibrary::write(std::function<Result<QString>()> work) {
    QtConcurrent::run(std::move(work)).then(this, [this](const Result<QString>& done) {
        if (!done) emit failed(inWords(done.error().message));
        else if (!done->isEmpty()) emit told(*done);
        if (done) emit written();
        reload();
    });
}

void PatternLibrary::edit(const Pattern& pattern) {
    write([pattern] { return quietly(edit_pattern(pattern)); });
}

void PatternLibrary::remove(const Pattern& pattern) {
    write([pattern] { return quietly(remove_pattern(pattern)); });
}

void PatternLibrary::importFile(const QString& file) {
    write([path = file.toStdString()]() -> Result<QString> {
        const Result<int> imported = import_patterns(path);
        if (!imported) return std::unexpected(imported.error());
        return tr("Imported %n pattern(s)", nullptr, *imported);
    });
}

void PatternLibrary::exportOwn(const QString& file) {
    write([path = file.toStdString()]() -> Result<QString> {
        std::vector<Pattern> own = load_patterns().all;
        std::erase_if(own, [](const Pattern& each) { return !each.is_own; });
        if (const Result<void> written = write_file_atomic(path, pattern_lines(own)); !written)
            return std::unexpected(written.error());
        return tr("Exported %n pattern(s) of your own", nullptr, static_cast<int>(own.size()));
    });
}

}  // namespace kernelgen::studio
