// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/operator.h"
#include "core/project/callable_role.h"
#include "core/project/configuration.h"
#include "core/project/launch.h"

namespace kernelgen {

enum class Language { cpp, cuda, triton, torch, extension, library };

std::string_view to_string(Language language);
std::optional<Language> parse_language(std::string_view name);
std::vector<std::string> language_names();
/// Whether a variant's source is a Python file: `triton` and `torch`.
bool is_python(Language language);
/// Whether Python's executor calls it: `triton`, `torch` and `extension`.
bool runs_in_python(Language language);
/// Whether the compiler is given the tunables as macros: `cpp`, `cuda` and `extension`.
bool tunables_are_macros(Language language);
/// Whether the code that computes the operator is not part of this project: `library` and `torch`. Such a variant must
/// be right only on the project's own cases, as a baseline must.
bool is_of_others(Language language);

/// A Python test file of a `triton` variant, which imports the variant's source.
struct Companion {
    std::string kind;       ///< "accuracy", "performance"
    std::string source;     ///< file in the project's folder
    std::string generated;  ///< hash of the file as generated; empty: a person wrote the file

    bool operator==(const Companion&) const = default;
};

/// One implementation of an operator. In a Python variant without launches, `entry` is a function that takes the inputs
/// in order as tensors and the attributes as keywords, and returns the output or a tuple of the outputs. In a `triton`
/// variant with a launch, `entry` is a `@triton.jit` function.
struct Variant {
    std::string name;
    Language language = Language::cpp;
    std::string source;  ///< file in the project's folder
    std::string entry;
    std::string interface;  ///< extension: how `entry` is called: "torch" (as is ""), "plain"
    std::vector<Launch> launches;
    std::vector<Workspace> workspace;
    std::vector<Tunable> tunables;
    std::vector<ConfigurationRule> configurations;  ///< the first whose condition holds on a case gives it its values
    std::vector<std::string> let;  ///< "name = expression": values that later ones and all expressions may name
    std::vector<std::string> restrictions;
    std::vector<std::string> flags;    ///< further compiler flags
    std::vector<std::string> devices;  ///< kinds of device on which it runs; empty: all of its language
    std::string library;               ///< language `library`: "onednn", "cudnn", …
    std::string primitive;
    std::string generated;  ///< hash of the source as generated; empty: a person wrote it
    bool deterministic = true;
    bool compile = false;               ///< torch: called through torch.compile
    std::vector<Companion> companions;  ///< triton: test files that import the source
    std::vector<std::string> sources;   ///< further files in the project's folder (core/project/source_files.h)

    bool operator==(const Variant&) const = default;
};

/// The Python file that defines a `callable` operator, as a variant that is built of the same files.
Variant definition_as_variant(const Operator& definition);

/// The configuration of the tunables' `value`s.
Configuration configuration_of(const Variant& variant);

/// `base` with the values of `changes`. Errors, with a suggestion: an unknown tunable, a value that is not allowed.
Result<Configuration> with_changes(const Variant& variant, Configuration base, const Configuration& changes);

/// Texts of files by their paths in the project's folder: "kernels/helper.h".
using SourceFiles = std::map<std::string, std::string>;

/// A variant with everything that is needed to build it on any machine: its texts and one configuration.
struct Implementation {
    Variant variant;
    std::string text;  ///< of the source file; empty for a library
    Configuration configuration;
    SourceFiles files = {};      ///< the project's other files of which it is built
    Sizes device = {};           ///< numbers of the device on which it is to run, by their names without `device.`
    CallableRole callable = {};  ///< on a case of family `callable`; not in JSON
};

/// A hash of all texts of an implementation. Where it has only one file, `hash_hex` of that file's text.
std::string hash_of_sources(const Implementation& implementation);

}  // namespace kernelgen
