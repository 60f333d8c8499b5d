// SPDX-License-Identifier: Apache-2.0
#include "core/report/sentences.h"

#include <nlohmann/json.hpp>

#include "core/said/said.h"

namespace kernelgen {

namespace {

constexpr std::string_view chinese_formats[] = {
#define SENTENCE(name, chinese) chinese,
#include "core/said/sentences.def"
#undef SENTENCE
#define SAID(id, english, chinese) chinese,
#include "core/said/said_in_place.def"
#undef SAID
};

}  // namespace

std::string in_tongue(const Said& said, Tongue tongue) {
    return tongue == Tongue::english ? said.text() : worded(said_by(said), chinese_formats).value_or(said.text());
}

std::span<const std::string_view> formats_in(Tongue tongue) {
    return tongue == Tongue::english ? english_formats() : chinese_formats;
}

}  // namespace kernelgen
