// SPDX-License-Identifier: Apache-2.0
#include "core/backend/source_tree.h"

#include <fstream>
#include <system_error>

namespace kernelgen {

namespace fs = std::filesystem;

Result<void> write_source_tree(const fs::path& folder, const SourceFiles& files) {
    for (const auto& [name, text] : files) {
        const fs::path path = folder / name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        std::ofstream file(path, std::ios::binary);
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
        file.close();
        if (!file) return fail("cannot write `" + name + "` where the build takes place: is the disk full?");
    }
    return {};
}

std::vector<fs::path> outside_dependencies(std::string_view rule) {
    std::vector<fs::path> files;
    std::string name;
    const auto end_name = [&] {
        if (name.starts_with('/')) files.emplace_back(name);
        name.clear();
    };
    for (std::size_t i = 0; i < rule.size(); ++i) {
        const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
        if (rule[i] == '\\' && next == '\n') end_name();
        else if ((rule[i] == '\\' && (next == ' ' || next == '#')) || (rule[i] == '$' && next == '$'))
            name += rule[++i];
        else if (rule[i] == ' ' || rule[i] == '\n') end_name();
        else name += rule[i];
    }
    end_name();
    return files;
}

void name_files_as_in_project(std::vector<CompilerMessage>& messages) {
    for (CompilerMessage& each : messages) {
        const fs::path file = each.file;
        if (!each.file.empty() && !file.is_absolute()) each.file = file.lexically_normal().generic_string();
    }
}

}  // namespace kernelgen
