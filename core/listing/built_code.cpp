// SPDX-License-Identifier: Apache-2.0
#include "core/listing/built_code.h"

#include <algorithm>

namespace kernelgen {

std::vector<CodeKind> code_kinds_of(Language language) {
    switch (language) {
        case Language::cpp: return {CodeKind::assembly};
        case Language::cuda: return {CodeKind::sass, CodeKind::ptx};
        case Language::triton:
        case Language::torch: return {CodeKind::ptx, CodeKind::ttgir, CodeKind::ttir};
        case Language::extension:
        case Language::library: return {};
    }
    return {};
}

std::vector<std::string> texts_of(const std::vector<CodeKind>& kinds) {
    std::vector<std::string> names;
    for (const CodeKind each : kinds) names.emplace_back(to_string(each));
    return names;
}

std::vector<std::string> files_of(const Implementation& implementation) {
    std::vector<std::string> files = {implementation.variant.source};
    for (const auto& [file, text] : implementation.files) files.push_back(file);
    return files;
}

bool tells_of_missing_text(const CompilerMessage& message) {
    return message.severity == "note" && message.file.empty() && message.text.text().starts_with("no ");
}

void note_texts_not_given(const BuildRequest& request, BuildResult& result) {
    if (result.status != Status::ok || std::ranges::any_of(result.messages, tells_of_missing_text)) return;
    for (const CodeKind each : code_kinds_of(request.implementation.variant.language)) {
        const std::string name(to_string(each));
        if (!std::ranges::contains(request.texts, name) || result.texts.contains(name)) continue;
        result.messages.push_back(
            {"", 0, 0, "note", say("no {}: the worker does not give it; update the worker", name)});
    }
}

Said why_no_code(const BuildResult& result) {
    const auto note = std::ranges::find_if(result.messages, tells_of_missing_text);
    return note == result.messages.end() ? Said("") : note->text;
}

}  // namespace kernelgen
