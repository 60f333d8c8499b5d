// SPDX-License-Identifier: Apache-2.0
#include "core/project/project.h"

#include <algorithm>

#include "core/base/text_file.h"

namespace kernelgen {

namespace {

constexpr std::uint64_t source_limit_bytes = 4 << 20;

bool language_runs_on(const Variant& variant, const std::string& kind) {
    switch (variant.language) {
        case Language::cpp: return kind == "cpu";
        case Language::cuda: return kind == "cuda";
        case Language::triton:
        case Language::torch: return true;
        case Language::extension: return kind == "cuda" || !has_cuda_source(variant);
        case Language::library: return kind == (variant.library == "onednn" ? "cpu" : "cuda");
    }
    return false;
}

}  // namespace

bool is_cuda_source(std::string_view file) { return file.ends_with(".cu"); }

bool has_cuda_source(const Variant& variant) {
    return is_cuda_source(variant.source) || std::ranges::any_of(variant.sources, is_cuda_source);
}

const Variant* Project::find_variant(std::string_view name) const {
    const auto found = std::ranges::find(variants, name, &Variant::name);
    return found == variants.end() ? nullptr : &*found;
}

const Case* Project::find_case(std::string_view name) const {
    const auto found = std::ranges::find(cases, name, &Case::name);
    return found == cases.end() ? nullptr : &*found;
}

std::string kind_of_device(std::string_view device) { return std::string(device.substr(0, device.find(':'))); }

bool runs_on(const Variant& variant, std::string_view device) {
    const std::string kind = kind_of_device(device);
    return language_runs_on(variant, kind) &&
           (variant.devices.empty() || std::ranges::find(variant.devices, kind) != variant.devices.end());
}

const Variant* baseline_for(const Project& project, std::string_view device) {
    const auto& names = project.performance.baseline;
    auto found = names.find(kind_of_device(device));
    if (found == names.end()) found = names.find("");
    const Variant* variant = found == names.end() ? nullptr : project.find_variant(found->second);
    return variant && runs_on(*variant, device) ? variant : nullptr;
}

const Variant* candidate_for(const Project& project, std::string_view device) {
    const Variant* baseline = baseline_for(project, device);
    for (const Variant& variant : project.variants) {
        if (&variant != baseline && runs_on(variant, device)) return &variant;
    }
    return nullptr;
}

Result<std::string> source_text(const Project& project, const Variant& variant) {
    if (variant.language == Language::library) return std::string();
    return read_text_file(project.folder / variant.source, source_limit_bytes);
}

}  // namespace kernelgen
