// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json_reader.h"
#include "core/project/project.h"

namespace kernelgen {

/// Readers of the schema's parts, for documents that contain them. They check only keys and types; `validate` checks
/// values.
void read(const JsonPlace& place, DType& dtype);
void read(const JsonPlace& place, Accumulation& accumulation);
void read(const JsonPlace& place, Language& language);
void read(const JsonPlace& place, Operator& definition);
void read(const JsonPlace& place, Variant& variant);
void read(const JsonPlace& place, Case& binding);
void read(const JsonPlace& place, Accuracy& accuracy);
void read(const JsonPlace& place, Performance& performance);
void read(const JsonPlace& place, DispatchRule& rule);
void read(const JsonPlace& place, Tunable& tunable);
void read(const JsonPlace& place, Configuration& configuration);
void read(const JsonPlace& place, SourceFiles& files);

nlohmann::ordered_json to_json(const Tunable& tunable);
nlohmann::ordered_json to_json(const DispatchRule& rule);

std::vector<std::string> dtype_names();

}  // namespace kernelgen
