// SPDX-License-Identifier: Apache-2.0
#include "core/host/extension_source.h"

#include <algorithm>
#include <format>
#include <regex>
#include <utility>

#include "core/backend/wrong_signature.h"
#include "core/base/text.h"
#include "core/project/project.h"
#include "core/project/source_files.h"

namespace kernelgen {
namespace {

constexpr std::string_view made_file = "kernelgen_binding";

constexpr std::string_view torch_binding = R"(#include "{0}"

#include <torch/extension.h>

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {{ module.def("{1}", &{2}); }}
)";

constexpr std::string_view plain_binding = R"(#include "{0}"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>

extern "C" int kernelgen_plain_call(void** tensors, const std::int64_t* sizes, void* stream, char* said,
                                    std::size_t room) {{
    int (*const entry)(void**, const std::int64_t*, {3}) = &{2};
    try {{
        return entry(tensors, sizes, static_cast<{3}>(stream));
    }} catch (const std::exception& error) {{
        std::snprintf(said, room, "%s", error.what());
    }} catch (...) {{
        std::snprintf(said, room, "an exception that is no std::exception");
    }}
    return -1;
}}
)";

std::string stream_type(const Variant& variant) { return is_cuda_source(variant.source) ? "cudaStream_t" : "void*"; }

/// "f" of "mine::f".
std::string last_name(const std::string& entry) { return entry.substr(entry.rfind(':') + 1); }

std::string binding_text(const Variant& variant) {
    const std::string name = last_name(variant.entry), stream = stream_type(variant);
    const std::string_view text = is_plain(variant) ? plain_binding : torch_binding;
    return std::vformat(text, std::make_format_args(variant.source, name, variant.entry, stream));
}

bool binds_itself(const SourceFiles& files) {
    static const std::regex binding(
        R"((^|\n)\s*(PYBIND11_MODULE|TORCH_LIBRARY(_FRAGMENT)?|STABLE_TORCH_LIBRARY)\s*\()");
    return std::ranges::any_of(files, [](const auto& each) {
        const auto& [file, text] = each;
        return text.contains("PYBIND11_MODULE") || text.contains("TORCH_LIBRARY") ? std::regex_search(text, binding)
                                                                                  : false;
    });
}

/// Says where a header comes from that a compiler does not find.
void add_advice(const Variant& variant, CompilerMessage& message) {
    static constexpr std::pair<std::string_view, std::string_view> of_torch[] = {
        {"pybind11/", "pybind11-dev"}, {"Python.h", "python3-dev"}, {"torch/", "libtorch-dev"}};
    const std::string& text = message.text.text();
    if (!text.contains("No such file") && !text.contains("cannot open source file")) return;
    for (const auto& [header, package] : of_torch) {
        if (!text.contains(header)) continue;
        message.text = is_plain(variant)
                           ? say("{}; interface `plain` is built without PyTorch: use interface `torch`", message.text)
                           : say("{}; PyTorch's headers need it: install it (on Debian: {})", message.text, package);
        return;
    }
}

/// The signature that `entry` must have, for a message.
std::string demanded_of(const Variant& variant) {
    if (!is_plain(variant)) return "one function, such as `torch::Tensor " + variant.entry + "(torch::Tensor x)`";
    return std::format("`int {}(void** tensors, const int64_t* sizes, {} stream)`", variant.entry,
                       stream_type(variant));
}

}  // namespace

bool is_plain(const Variant& variant) { return variant.interface == "plain"; }

ExtensionSources extension_sources(const Implementation& implementation) {
    const Variant& variant = implementation.variant;
    ExtensionSources sources{implementation.files, translation_units(implementation)};
    sources.files[variant.source] = implementation.text;
    std::erase_if(sources.files, [](const auto& each) { return each.first.ends_with(".py"); });
    std::string unit = variant.source;
    if (is_plain(variant) || !binds_itself(sources.files)) {
        unit = std::string(made_file) + (is_cuda_source(variant.source) ? ".cu" : ".cpp");
        sources.files[unit] = binding_text(variant);
    }
    sources.units.insert(sources.units.begin(), unit);
    return sources;
}

void move_into_extension(const Implementation& implementation, std::vector<CompilerMessage>& messages) {
    const Variant& variant = implementation.variant;
    for (CompilerMessage& each : messages) add_advice(variant, each);
    const auto is_made = [](const CompilerMessage& each) { return each.file.starts_with(made_file); };
    const auto tells_open_end = [&](const CompilerMessage& each) {
        return is_made(each) && each.text.text().starts_with("expected '}' at end of input");
    };
    if (std::ranges::any_of(messages, tells_open_end)) {
        std::erase_if(messages, is_made);
        messages.insert(messages.begin(), open_end(variant.source, implementation.text));
        return;
    }
    const auto error = std::ranges::find_if(
        messages, [&](const CompilerMessage& each) { return is_made(each) && each.severity == "error"; });
    if (error == messages.end()) return;
    CompilerMessage told = wrong_signature(variant.source, implementation.text, last_name(variant.entry), "");
    told.text =
        say("the source has to declare the entry as {}; the compiler says: {}", demanded_of(variant), error->text);
    std::erase_if(messages, is_made);
    messages.push_back(std::move(told));
}

}  // namespace kernelgen
