// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/catalogue.h"

#include <algorithm>

namespace kernelgen {

namespace {

constexpr StrategyText strategy_texts[] = {
#define STRATEGY(id, title, title_zh, why, why_zh) {#id, title, title_zh, why, why_zh},
#include "core/strategy/catalogue.def"
#undef STRATEGY
};

}  // namespace

std::span<const StrategyText> all_strategy_texts() { return strategy_texts; }

const StrategyText* find_strategy_text(std::string_view id) {
    const auto found = std::ranges::find(strategy_texts, id, &StrategyText::id);
    return found == std::end(strategy_texts) ? nullptr : &*found;
}

std::string_view title_of_strategy(std::string_view id) {
    const StrategyText* text = find_strategy_text(id);
    return text == nullptr ? id : text->title;
}

}  // namespace kernelgen
