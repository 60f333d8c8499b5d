// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace kernelgen {

/// Recognises a finished English text, and gives it the form of `said_by`: for texts that came without the sentences
/// that they were made of. `said_by` calls it where a `Said`, or one of its arguments, is only a text. Such texts are
/// - sentences without places, which are found by the whole text;
/// - what Python says: executors' replies and their compilers' messages, the reading of files, a model's process
///   (resources/python), whose answers hold texts only;
/// - records without `KEY_said`, of older versions, when they are shown;
/// - errors that are thrown as exceptions, which carry a text: a build's or a definition's JSON that cannot be read.
/// Every other sentence with places is made by `say`, as tests/tree/sentences_test.cpp checks.
nlohmann::json recognised(std::string_view text);

}  // namespace kernelgen
