// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace kernelgen {

/// What a finished English text says, as `said_by` has it: for texts that came without the sentences that they were
/// made of. Those are what Python's executors and files say, whose protocols have texts only, and records of versions
/// that wrote no `KEY_said`. A text of the engine's own needs this only where its place has not made it with `say`.
nlohmann::json recognised(std::string_view text);

}  // namespace kernelgen
