// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The facts that resources/python/kernelgen_sources.py reads from a Python file without executing it. Lines and
/// columns count from 1. Texts are source texts on one line.
struct PythonParameter {
    enum class Kind { positional_only, positional, keyword, star, double_star };
    std::string name;
    int line = 0;
    std::string annotation;                    ///< the annotation, or empty
    std::optional<std::string> default_value;  ///< nothing: the parameter is required
    Kind kind = Kind::positional;
    bool is_constexpr = false;  ///< of a kernel
};

/// An assertion, or a condition that raises, on a value that is derived from parameters.
struct PythonCheck {
    int line = 0;
    std::string condition;
    std::vector<std::string> parameters;
};

/// A call `kernel[grid](...)`.
struct PythonLaunch {
    std::string kernel;
    int line = 0;
    std::optional<int> grid_rank;  ///< nothing: it cannot be determined
    std::vector<std::string> arguments;
    std::map<std::string, std::string> keywords;
    bool open = false;  ///< it has `*` or `**` arguments, so not all arguments are known
};

struct PythonFunction {
    std::string name;
    int line = 0;
    std::vector<PythonParameter> parameters;
    std::string returns;               ///< the annotation, or empty
    std::vector<int> returned_values;  ///< numbers of values of its `return`s, distinct, ascending; -1: unknown
    std::vector<PythonCheck> checks;
    std::vector<PythonLaunch> launches;
    std::vector<std::string> calls;  ///< names of the functions that it calls, distinct
};

/// A `@triton.jit` function.
struct PythonKernel {
    std::string name;
    int line = 0;
    std::vector<PythonParameter> parameters;
    int axes = 0;  ///< the grid's axes that it uses by `tl.program_id`
    bool autotuned = false;
};

struct PythonImport {
    int line = 0;
    std::string module;
    std::string name;  ///< of `from module import name`, or empty
    std::string as;
};

/// A literal that is the value of a tunable. `start` and `end` are offsets in bytes.
struct TunableSite {
    std::string name;
    std::int64_t value = 0;
    int line = 0, column = 0;
    std::size_t start = 0, end = 0;
};

struct PythonFile {
    std::optional<Diagnostic> error;  ///< the syntax error, if any; `where` is "line N", and all other fields are empty
    std::vector<PythonFunction> functions;
    std::vector<PythonKernel> kernels;
    std::vector<PythonImport> imports;
    std::vector<PythonImport> lambdas;  ///< top-level functions that are lambdas, by `name`
    std::vector<TunableSite> sites;     ///< tunables of the entry that was asked for

    /// The last function of that name, or null.
    const PythonFunction* find_function(std::string_view name) const;
    const PythonKernel* find_kernel(std::string_view name) const;
};

/// Inspects files, given as texts by name. `entries` has, for a file, the function whose tunables are wanted. Errors:
/// no Python interpreter, with what to do.
Result<std::map<std::string, PythonFile>> inspect_python(const std::map<std::string, std::string>& files,
                                                         const std::map<std::string, std::string>& entries = {});

/// `text` with the literals of its tunables replaced by the values of a configuration; every other byte is unchanged.
/// Errors: a tunable without exactly one literal, a syntax error (with file and line), no interpreter.
Validated<std::string> with_tunables(const std::string& file, const std::string& text, const std::string& entry,
                                     const Configuration& configuration);

/// The text of a variant for a configuration. In a Python function the literals are replaced, but not those that its
/// `if` statements give for some sizes. Other texts are unchanged, since they get their tunables in other ways. Errors:
/// as `with_tunables`.
Validated<std::string> in_configuration(const Variant& variant, const std::string& text,
                                        const Configuration& configuration);

}  // namespace kernelgen
