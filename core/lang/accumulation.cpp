// SPDX-License-Identifier: Apache-2.0
#include "core/lang/accumulation.h"

namespace kernelgen {

std::string_view to_string(Accumulation accumulation) {
    switch (accumulation) {
        case Accumulation::f22: return "f22";
    }
    return "";
}

std::optional<Accumulation> parse_accumulation(std::string_view name) {
    return name == "f22" ? std::optional(Accumulation::f22) : std::nullopt;
}

std::vector<std::string> accumulation_names() { return {"f22"}; }

AccumulationError error_of(Accumulation accumulation) {
    switch (accumulation) {
        case Accumulation::f22: return {0x1p-14, 128};
    }
    return {};
}

}  // namespace kernelgen
