// SPDX-License-Identifier: Apache-2.0
#include "core/project/judging_files.h"

#include <algorithm>
#include <filesystem>
#include <format>

#include "core/base/text.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_source = 4 << 20;
constexpr std::string_view source_names[] = {".cpp", ".cc", ".cxx", ".cu", ".h", ".hpp", ".cuh", ".inl", ".py"};

/// The variant's source, and all files of which it is built besides. A file that is missing is left out.
Result<SourceFiles> files_of(const Project& project, const Variant& variant, const SourceReader& read) {
    if (variant.language == Language::library || variant.source.empty()) return SourceFiles();
    const Result<std::optional<std::string>> text = read(variant.source);
    if (!text) return std::unexpected(text.error());
    if (!*text) return SourceFiles();
    Result<SourceFiles> files = further_sources(project, variant, **text, read);
    if (files) files->emplace(fs::path(variant.source).lexically_normal().generic_string(), **text);
    return files;
}

/// Reads `file` as if it had this text.
SourceReader with_text(SourceReader read, std::string file, std::string text) {
    return [=](const std::string& path) -> Result<std::optional<std::string>> {
        return path == file ? Result<std::optional<std::string>>(text) : read(path);
    };
}

bool is_source_name(const std::string& file) {
    return std::ranges::any_of(source_names, [&](std::string_view ending) { return file.ends_with(ending); });
}

}  // namespace

std::optional<std::string> judging_role(const Project& project, std::string_view variant) {
    for (const auto& [kind, name] : project.performance.baseline) {
        if (name == variant) return std::format("`{}` is the baseline{}", name, kind.empty() ? "" : " on " + kind);
    }
    if (!variant.empty() && project.definition.reference == variant)
        return std::format("`{}` is the reference", project.definition.reference);
    return std::nullopt;
}

Result<std::map<std::string, std::string>> judging_files(const Project& project, const SourceReader& read) {
    std::map<std::string, std::string> reasons;
    const auto add = [&](const Variant& judge, const Said& reason) -> Result<void> {
        const Result<SourceFiles> files = files_of(project, judge, read);
        if (!files) return std::unexpected(files.error());
        for (const auto& [file, text] : *files) reasons.emplace(file, reason);
        return {};
    };
    if (!project.definition.file.empty()) {
        const Result<void> added = add(definition_as_variant(project.definition), "it defines the operator");
        if (!added) return std::unexpected(added.error());
    }
    for (const Variant& each : project.variants) {
        const std::optional<std::string> role = judging_role(project, each.name);
        if (!role) continue;
        if (const Result<void> added = add(each, *role + ", which is built of it"); !added)
            return std::unexpected(added.error());
    }
    return reasons;
}

Result<SourceFiles> files_of_variants(const Project& project, const SourceReader& read) {
    SourceFiles all;
    for (const Variant& each : project.variants) {
        Result<SourceFiles> files = files_of(project, each, read);
        if (!files) return files;
        all.merge(*files);
    }
    return all;
}

std::optional<Said> edit_problem(const Project& project, const std::string& file, const std::string& text) {
    if (const auto problem = place_problem(project.folder, file)) return *problem;
    if (text.size() > longest_source) return "would be larger than 4 MiB";
    const std::string name = fs::path(file).lexically_normal().generic_string();
    const SourceReader present = folder_reader(project.folder);
    // A baseline may look for the file where there is none yet.
    const auto judges = judging_files(project, with_text(present, name, text));
    if (!judges) return "cannot be judged: " + judges.error().message;
    if (const auto judge = judges->find(name); judge != judges->end())
        return "decides what is right or fast: " + judge->second;
    std::error_code error;
    if (!fs::exists(project.folder / name, error))
        return is_source_name(name)
                   ? std::nullopt
                   : std::optional(
                         "is no source by its name; sources end in " +
                         join(std::vector<std::string>(std::begin(source_names), std::end(source_names)), ", "));
    const Result<SourceFiles> known = files_of_variants(project, present);
    if (!known) return "cannot be judged: " + known.error().message;
    return known->contains(name) ? std::nullopt : std::optional("is no source of a variant");
}

}  // namespace kernelgen
