// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace kernelgen {

/// Recognises a finished English text, and gives it the form of `said_by`: for texts that came without the sentences
/// that they were made of. `said_by` calls it where a `Said`, or one of its arguments, is only a text. Such texts are
/// - sentences without places, which are found by the whole text;
/// - records without `KEY_said`, of older versions, when they are shown;
/// - errors that are thrown as exceptions, which carry a text: a build's or a definition's JSON that cannot be read;
/// - texts of another process where `KEY_said` does not fit the text (core/said/told.h).
/// Every other sentence with places is made by `say`, in C++ or in Python (resources/python/kernelgen_said.py), as
/// tests/tree/sentences_test.cpp checks. The words of compilers and of exceptions are no sentences of this program.
nlohmann::json recognised(std::string_view text);

}  // namespace kernelgen
