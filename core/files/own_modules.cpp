// SPDX-License-Identifier: Apache-2.0
#include "core/files/own_modules.h"

#include <algorithm>
#include <vector>

#include "core/project/includes.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

/// Which each kernelgen has its own of, also where the file lies in their repositories.
constexpr std::string_view libraries[] = {"torch", "triton", "numpy"};
constexpr std::size_t most_modules = 200, most_bytes_of_modules = 4 << 20;

/// Follows imports from file to file. Paths are relative to the root.
class Closure {
public:
    explicit Closure(const ModulePlace& place) : place_(place), read_(folder_reader(place.root)) {}

    Result<SourceFiles> of(const std::string& text) {
        if (const Result<void> done = follow_all(text, place_.file); !done) return std::unexpected(done.error());
        while (!waiting_.empty()) {
            const std::string file = std::move(waiting_.back());
            waiting_.pop_back();
            if (const Result<void> done = follow_all(found_.at(file), file); !done)
                return std::unexpected(done.error());
        }
        return std::move(found_);
    }

private:
    Result<void> follow_all(const std::string& text, const std::string& from) {
        importing_ = from;
        for (const Import& each : imports_of(text)) {
            if (const Result<void> done = follow(each, from); !done) return done;
        }
        return {};
    }

    Result<void> follow(const Import& import, const std::string& from) {
        std::string module = import.module;
        std::ranges::replace(module, '.', '/');
        if (import.level == 0 && std::ranges::contains(libraries, module.substr(0, module.find('/')))) return {};
        std::vector<fs::path> bases = {"", fs::path(place_.file).parent_path()};
        if (import.level > 0) bases = {fs::path(from).parent_path()};
        for (int i = 1; i < import.level; ++i) bases[0] = bases[0].parent_path();
        for (const fs::path& base : bases) {
            const Result<bool> is_there = follow_at(base / module, import.names);
            if (!is_there) return std::unexpected(is_there.error());
            if (*is_there) break;
        }
        return {};
    }

    /// Whether a module or package is there. Names of a package are modules in it, or names of its `__init__.py`.
    Result<bool> follow_at(const fs::path& path, const std::vector<std::string>& names) {
        Result<bool> is_module = path.has_filename() ? take(path.string() + ".py") : false;
        if (!is_module || *is_module) return is_module;
        bool is_any = false, needs_init = names.empty();
        for (const std::string& name : names) {
            Result<bool> taken = take((path / name).string() + ".py");
            if (taken && !*taken) taken = take((path / name / "__init__.py").string());
            if (!taken) return taken;
            is_any = is_any || *taken;
            needs_init = needs_init || !*taken;
        }
        const Result<bool> init = needs_init ? take((path / "__init__.py").string()) : false;
        return init ? is_any || *init : init;
    }

    /// Whether there is such a file, which is known now.
    Result<bool> take(const std::string& path) {
        const std::string file = fs::path(path).lexically_normal().generic_string();
        if (file == place_.file || found_.contains(file)) return true;
        Result<std::optional<std::string>> text = read_(file);
        if (!text) return std::unexpected(text.error());
        if (!*text) return false;
        bytes_ += (*text)->size();
        if (found_.size() == most_modules || bytes_ > most_bytes_of_modules)
            return fail(
                say("it imports more than {} files or {} MiB of its own, the last `{}`, which `{}` imports; copy what "
                    "it needs into one file",
                    most_modules, most_bytes_of_modules >> 20, file, importing_));
        found_[file] = std::move(**text);
        waiting_.push_back(file);
        return true;
    }

    const ModulePlace& place_;
    SourceReader read_;
    SourceFiles found_;
    std::vector<std::string> waiting_;  ///< found, and not looked into
    std::string importing_;             ///< the file whose imports are followed
    std::size_t bytes_ = 0;
};

}  // namespace

ModulePlace module_place(const fs::path& file) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    fs::path root = whole.parent_path();
    std::error_code error;
    while (fs::exists(root / "__init__.py", error) && root != root.parent_path()) root = root.parent_path();
    return {root, whole.lexically_relative(root).generic_string()};
}

Result<SourceFiles> own_modules(const ModulePlace& place, const std::string& text) { return Closure(place).of(text); }

}  // namespace kernelgen
