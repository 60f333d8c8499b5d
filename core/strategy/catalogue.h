// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace kernelgen {

/// What is said of a strategy, in English and Chinese; core/strategy/catalogue.def has them all.
struct StrategyText {
    std::string_view id;
    std::string_view title, title_zh;
    std::string_view why, why_zh;
};

std::span<const StrategyText> all_strategy_texts();

/// Null for an unknown id.
const StrategyText* find_strategy_text(std::string_view id);

/// The title, or the id itself where it is not known: a record may be of a newer version.
std::string_view title_of_strategy(std::string_view id);

}  // namespace kernelgen
