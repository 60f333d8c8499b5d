// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/round/history.h"

namespace kernelgen {

/// A line of `history.jsonl` is a JSON object with `schema` and `kind`: "round", "lessons" or "keep". At most this
/// long, where what cannot be cut (names, the configuration) allows.
inline constexpr std::size_t history_line_bytes = 2048;

/// The round with long texts cut, numbers of six digits, and of its cases the first and the worst at least, as many as
/// fit. Without the newline.
std::string history_line(const Round& round);
std::string history_line(int round, const Lessons& lessons);
/// That the project returned to a round.
std::string history_line_of_keep(int round);

/// Adds what a line says to `history`; why it cannot where it cannot.
Result<void> read_history_line(std::string_view line, History& history);

}  // namespace kernelgen
