// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/said.h"

namespace kernelgen {

/// What another process of this version said: `text`, which it has at `key`, and what it was made of, by `KEY_said`. A
/// sentence there is {"id", "arguments"}, as `said_by` has it, or {"format", "arguments"}, as Python has it
/// (resources/python/kernelgen_said.py). The process is not trusted: `KEY_said` may be anything. The text alone is the
/// answer where `KEY_said` has another form, a sentence that this program does not know, or gives another text.
Said told(const nlohmann::json& object, const std::string& key, std::string text);
/// The same of a list of texts. Throws where `key` is missing or no list of texts.
std::vector<Said> all_told(const nlohmann::json& object, const std::string& key);
/// The same of a text. Throws where `key` is missing or no text.
Said told(const nlohmann::json& object, const std::string& key);

}  // namespace kernelgen
