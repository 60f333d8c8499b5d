// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/library_places.h"

#include <cstdlib>
#include <filesystem>

#include "core/base/text.h"

namespace kernelgen::cuda {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// The folders of the programs of Python installations: that of KERNELGEN_PYTHON, and each of PATH that has a python3.
std::vector<std::string> folders_of_python() {
    std::vector<std::string> folders;
    std::error_code error;
    if (const std::string named = variable("KERNELGEN_PYTHON"); named.contains('/'))
        folders.push_back(fs::path(named).parent_path().string());
    for (const std::string& folder : split(variable("PATH"), ':')) {
        if (!folder.empty() && fs::exists(fs::path(folder) / "python3", error)) folders.push_back(folder);
    }
    return folders;
}

/// Folders of a Python installation's packages: PREFIX/lib/python3.*/{site,dist}-packages.
std::vector<fs::path> package_folders() {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const std::string& folder : folders_of_python()) {
        const fs::path lib = fs::path(folder).parent_path() / "lib";
        for (const auto& entry : fs::directory_iterator(lib, error)) {
            if (!entry.path().filename().string().starts_with("python3")) continue;
            folders.push_back(entry.path() / "site-packages");
            folders.push_back(entry.path() / "dist-packages");
        }
    }
    return folders;
}

std::vector<fs::path> folders_of(const std::string& wheel) {
    std::vector<fs::path> folders;
    for (const fs::path& toolkit : toolkit_folders()) folders.push_back(toolkit / "lib64");
    for (const fs::path& packages : package_folders()) {
        folders.push_back(packages / "nvidia" / wheel / "lib");
        folders.push_back(packages / "nvidia" / "cu13" / "lib");
    }
    return folders;
}

}  // namespace

std::vector<std::string> tool_places(const std::string& program) {
    std::vector<std::string> places = {program};
    for (const fs::path& toolkit : toolkit_folders()) places.push_back((toolkit / "bin" / program).string());
    for (const fs::path& packages : package_folders())
        places.push_back((packages / "triton" / "backends" / "nvidia" / "bin" / program).string());
    return places;
}

std::vector<std::string> library_places(const char* override_name, const std::vector<std::string>& sonames,
                                        const std::string& wheel) {
    if (const std::string named = variable(override_name); !named.empty()) return {named};
    std::vector<std::string> places = sonames;
    std::error_code error;
    for (const fs::path& folder : folders_of(wheel)) {
        for (const std::string& soname : sonames) {
            if (fs::exists(folder / soname, error)) places.push_back((folder / soname).string());
        }
    }
    return places;
}

std::vector<fs::path> toolkit_folders() {
    std::vector<fs::path> folders;
    for (const std::string& each : {variable("CUDA_HOME"), variable("CUDA_PATH"), std::string("/usr/local/cuda")}) {
        if (!each.empty()) folders.emplace_back(each);
    }
    return folders;
}

}  // namespace kernelgen::cuda
