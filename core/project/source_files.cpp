// SPDX-License-Identifier: Apache-2.0
#include "core/project/source_files.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/project/includes.h"
#include "core/project/names.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t longest_file = 4 << 20;
constexpr std::size_t most_files = 2000;
constexpr std::size_t most_bytes = 16 << 20;

/// A path as files are known by: normal, and relative where it lies in the project's folder. Nothing: it leaves it.
std::optional<std::string> known_path(const fs::path& path, const fs::path& folder) {
    fs::path normal = path.lexically_normal();
    if (normal.is_absolute() && folder.is_absolute()) {
        const fs::path within = normal.lexically_relative(folder);
        if (!within.empty() && *within.begin() != "..") normal = within;
    }
    if (normal.empty() || *normal.begin() == "..") return std::nullopt;
    return normal.generic_string();
}

bool leads_out(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    const fs::path target = fs::weakly_canonical(fs::absolute(file), error);
    const fs::path within = target.lexically_relative(fs::weakly_canonical(fs::absolute(folder), error));
    return within.empty() || *within.begin() == "..";
}

/// Follows includes and imports from file to file.
class Search {
public:
    Search(const Variant& variant, const SourceReader& read, const fs::path& folder);

    Result<SourceFiles> from(const SourceFiles& roots);

private:
    using Paths = std::vector<fs::path>;

    Result<void> look_into(const std::string& file, const std::string& text);
    Result<void> follow(const Include& include, const std::string& file);
    Result<void> follow(const Import& import, const std::string& file);
    Result<bool> take(const fs::path& path, const std::string& from);
    Result<bool> take_module(const fs::path& base, const std::string& module, const std::string& from);

    const SourceReader& read_;
    fs::path folder_;
    bool is_python_;
    fs::path beside_source_;
    Paths quoted_, angled_;  ///< folders, in the compiler's order
    std::vector<std::string> pre_included_;
    std::set<std::string> seen_;
    SourceFiles found_;
    std::vector<std::string> waiting_;   ///< found, and not looked into
    std::size_t files_ = 0, bytes_ = 0;  ///< of the project
};

Search::Search(const Variant& variant, const SourceReader& read, const fs::path& folder)
    : read_(read),
      folder_(folder.empty() ? folder : fs::absolute(folder).lexically_normal() / ""),
      is_python_(is_python(variant.language)),
      beside_source_(fs::path(variant.source).parent_path()) {
    Paths for_quotes;
    for (const std::string& flag : variant.flags) {
        const std::optional<IncludeFlag> include = include_flag(flag);
        if (!include) continue;
        if (include->option == "-iquote") for_quotes.emplace_back(include->path);
        else if (include->option.contains("nclude=") || include->option == "-include" || include->option == "-imacros")
            pre_included_.emplace_back(include->path);
        else angled_.emplace_back(include->path);
    }
    // The builds name the project's folder so: `-iquote.` of a C++ compiler, the last `-I` of NVRTC.
    quoted_ = for_quotes;
    if (variant.language == Language::cuda) {
        quoted_.insert(quoted_.end(), angled_.begin(), angled_.end());
        quoted_.emplace_back("");
    } else {
        quoted_.emplace_back("");
        quoted_.insert(quoted_.end(), angled_.begin(), angled_.end());
    }
}

Result<SourceFiles> Search::from(const SourceFiles& roots) {
    for (const auto& [file, text] : roots) seen_.insert(fs::path(file).lexically_normal().generic_string());
    for (const std::string& each : pre_included_) {
        if (const Result<void> done = follow(Include{each, true}, "a flag of the variant"); !done)
            return std::unexpected(done.error());
    }
    for (const auto& [file, text] : roots) {
        if (const Result<void> done = look_into(file, text); !done) return std::unexpected(done.error());
    }
    while (!waiting_.empty()) {
        const std::string file = std::move(waiting_.back());
        waiting_.pop_back();
        if (const Result<void> done = look_into(file, found_.at(file)); !done) return std::unexpected(done.error());
    }
    return std::move(found_);
}

Result<void> Search::look_into(const std::string& file, const std::string& text) {
    Result<void> done;
    const bool is_python_file = file.ends_with(".py");  // beside C++: what defines the operator
    if (is_python_ && !is_python_file) return done;
    if (is_python_file) {
        for (const Import& each : imports_of(text)) {
            if (done = follow(each, file); !done) break;
        }
        return done;
    }
    for (const Include& each : includes_of(text)) {
        if (done = follow(each, file); !done) break;
    }
    return done;
}

Result<void> Search::follow(const Include& include, const std::string& file) {
    Paths places = include.quoted ? quoted_ : angled_;
    if (include.quoted) places.insert(places.begin(), fs::path(file).parent_path());
    for (const fs::path& place : places) {
        const Result<bool> taken = take(place / include.name, file);
        if (!taken) return std::unexpected(taken.error());
        if (*taken) break;
    }
    return {};
}

Result<void> Search::follow(const Import& import, const std::string& file) {
    Paths bases = {beside_source_, ""};
    if (import.level > 0) {
        fs::path base = fs::path(file).parent_path();
        for (int i = 1; i < import.level; ++i) base /= "..";
        bases = {base};
    }
    std::vector<std::string> modules = {import.module};
    for (const std::string& name : import.names) modules.push_back(import.module + "." + name);
    for (const std::string& module : modules) {
        for (const fs::path& base : bases) {
            const Result<bool> taken = take_module(base, module, file);
            if (!taken) return std::unexpected(taken.error());
            if (*taken) break;
        }
    }
    return {};
}

/// Takes "a/b.py" or "a/b/__init__.py" of "a.b", and the `__init__.py` of the packages that it is in.
Result<bool> Search::take_module(const fs::path& base, const std::string& module, const std::string& from) {
    fs::path place = base;
    bool any = false;
    for (const std::string& part : split(module, '.')) {
        if (part.empty()) continue;
        place /= part;
        for (const fs::path& file : {place / "__init__.py", fs::path(place).concat(".py")}) {
            const Result<bool> taken = take(file, from);
            if (!taken) return taken;
            any = any || *taken;
            if (*taken) break;
        }
    }
    return any;
}

/// Whether there is such a file, known now.
Result<bool> Search::take(const fs::path& path, const std::string& from) {
    const std::optional<std::string> file = known_path(path, folder_);
    if (!file) return false;
    if (seen_.contains(*file)) return true;
    Result<std::optional<std::string>> text = read_(*file);
    if (!text) return fail(say("{} (`{}` includes it)", text.error().message, from));
    if (!*text) return false;
    const bool is_of_project = fs::path(*file).is_relative();
    if (is_of_project && (++files_ > most_files || (bytes_ += (*text)->size()) > most_bytes)) {
        return fail(
            std::format("more than {} files or {} MiB are included, the last by `{}`; a kernel may have so many",
                        most_files, most_bytes >> 20, from));
    }
    seen_.insert(*file);
    found_[*file] = std::move(**text);
    waiting_.push_back(*file);
    return true;
}

}  // namespace

std::optional<Said> place_problem(const fs::path& folder, const std::string& path) {
    if (const auto problem = source_path_problem(path)) return problem;
    if (leads_out(folder / path, folder)) return "is a link that leads out of the project's folder";
    return std::nullopt;
}

SourceReader folder_reader(fs::path folder) {
    return [folder = std::move(folder)](const std::string& path) -> Result<std::optional<std::string>> {
        std::error_code error;
        if (source_path_problem(path) || !fs::is_regular_file(folder / path, error)) return std::nullopt;
        if (leads_out(folder / path, folder)) {
            return fail("`" + path + "` is a link that leads out of the project's folder; copy the file there");
        }
        Result<std::string> text = read_text_file(folder / path, longest_file);
        if (!text) return std::unexpected(text.error());
        return std::move(*text);
    };
}

Result<SourceFiles> included_files(const Variant& variant, const SourceFiles& roots, const SourceReader& read,
                                   const fs::path& folder) {
    return Search(variant, read, folder).from(roots);
}

Result<SourceFiles> further_sources(const Project& project, const Variant& variant, const std::string& text,
                                    const SourceReader& read) {
    SourceFiles listed;
    std::vector<std::string> sources = variant.sources;
    const std::string& definition = project.definition.file;
    const bool is_beside = !definition.empty() && definition != variant.source;
    if (is_beside && !std::ranges::contains(sources, definition)) sources.push_back(definition);
    for (const std::string& each : sources) {
        const std::string file = fs::path(each).lexically_normal().generic_string();
        Result<std::optional<std::string>> content = read(file);
        if (!content) return std::unexpected(content.error());
        if (!*content) {
            const char* const key = each == definition ? "`definition` names `" : "`sources` lists `";
            return fail(key + each + "`, which is no file of the project's folder");
        }
        listed[file] = std::move(**content);
    }
    SourceFiles roots = listed;
    roots[variant.source] = text;
    Result<SourceFiles> found = included_files(variant, roots, read, project.folder);
    if (!found) return found;
    found->merge(listed);
    return found;
}

Result<Implementation> read_implementation(const Project& project, const Variant& variant) {
    Result<std::string> text = source_text(project, variant);
    if (!text) return std::unexpected(text.error());
    Implementation result{variant, std::move(*text), configuration_of(variant)};
    if (variant.language == Language::library) return result;
    Result<SourceFiles> files = further_sources(project, variant, result.text, folder_reader(project.folder));
    if (!files) return std::unexpected(files.error());
    result.files = std::move(*files);
    return result;
}

const std::vector<std::string>& source_endings(Language language) {
    static const std::map<Language, std::vector<std::string>> of_languages = {
        {Language::cpp, {".cpp", ".cc", ".cxx"}},
        {Language::cuda, {".cu"}},
        {Language::extension, {".cu", ".cpp", ".cc", ".cxx"}}};
    static const std::vector<std::string> none;
    const auto found = of_languages.find(language);
    return found == of_languages.end() ? none : found->second;
}

std::vector<std::string> translation_units(const Implementation& implementation) {
    const std::vector<std::string>& endings = source_endings(implementation.variant.language);
    if (endings.empty()) return {};
    const SourceReader carried = [&](const std::string& path) -> Result<std::optional<std::string>> {
        const auto file = implementation.files.find(path);
        if (file == implementation.files.end()) return std::nullopt;
        return file->second;
    };
    std::vector<std::string> units;
    for (const std::string& each : implementation.variant.sources) {
        const fs::path file = fs::path(each).lexically_normal();
        if (!std::ranges::contains(endings, file.extension().string()) ||
            !implementation.files.contains(file.generic_string()))
            continue;
        SourceFiles others = implementation.files;
        others.erase(file.generic_string());
        others[implementation.variant.source] = implementation.text;
        const auto included = included_files(implementation.variant, others, carried);
        if (!included || !included->contains(file.generic_string())) units.push_back(file.generic_string());
    }
    return units;
}

}  // namespace kernelgen
