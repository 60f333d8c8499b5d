// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/further_files.h"

#include "app/studio/document/project_document.h"

namespace kernelgen::studio {

namespace {

constexpr int after_typing = 250;  // milliseconds
constexpr std::size_t most_shown = 100;

}  // namespace

FurtherFiles::FurtherFiles(ProjectDocument& document, QObject* parent) : QObject(parent), document_(document) {
    settle_.setSingleShot(true);
    settle_.setInterval(after_typing);
    connect(&settle_, &QTimer::timeout, this, &FurtherFiles::stale);
    connect(&document_, &ProjectDocument::sourceEdited, &settle_, qOverload<>(&QTimer::start));
}

Result<SourceFiles> FurtherFiles::of(const Variant& variant) const {
    const SourceFile* own = document_.source(variant.source);
    if (variant.source.empty() || own == nullptr) return SourceFiles();
    const SourceReader on_disk = folder_reader(document_.project().folder);
    const SourceReader as_edited = [&](const std::string& path) -> Result<std::optional<std::string>> {
        const SourceFile* open = document_.source(path);
        return open != nullptr && open->problem().isEmpty() ? open->text() : on_disk(path);
    };
    return further_sources(document_.project(), variant, own->text(), as_edited);
}

const std::vector<std::string>& FurtherFiles::names(const Variant& variant) const {
    static const std::vector<std::string> none;
    const auto known = names_.find(variant.name);
    return known == names_.end() ? none : known->second;
}

bool FurtherFiles::find() {
    std::map<std::string, std::vector<std::string>> found;
    for (const Variant& variant : document_.project().variants) {
        const Result<SourceFiles> files = of(variant);
        std::vector<std::string>& names = found[variant.name];
        if (!files) names = this->names(variant);
        for (const auto& [file, text] : files.value_or(SourceFiles())) {
            if (names.size() < most_shown) names.push_back(file);
        }
    }
    return std::exchange(names_, found) != found;
}

}  // namespace kernelgen::studio
