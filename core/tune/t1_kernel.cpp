// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t1_kernel.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/tune/python_condition.h"

namespace kernelgen {

using nlohmann::json;

namespace {

/// A number, or an expression in Python's words.
struct T1Expression {
    std::string text;
};

void read(const JsonPlace& place, T1Expression& expression) {
    if (place.value().is_number_integer()) {
        expression.text = place.value().dump();
        return;
    }
    std::string python;
    kernelgen::read(place, python);
    const Result<std::string> text = in_integer_language(python);
    if (text) expression.text = *text;
    else place.error(in_backquotes(python) + ": " + text.error().message);
}

/// A number of bytes; "0" of null.
struct T1Bytes {
    std::string text = "0";
};

void read(const JsonPlace& place, T1Bytes& bytes) {
    if (place.value().is_null()) return;
    T1Expression expression;
    read(place, expression);
    bytes.text = expression.text;
}

/// Integers: one, or a list; also as texts.
struct T1Problem {
    std::vector<std::int64_t> sizes;
};

void read(const JsonPlace& place, T1Problem& problem) {
    if (place.value().is_array()) {
        for (std::size_t i = 0; i < place.size(); ++i) read(place.element(i), problem);
        return;
    }
    long long size = 0;
    if (place.value().is_string() && parse_integer(trim(place.value().get<std::string>()), size)) {
        problem.sizes.push_back(size);
    } else {
        kernelgen::read(place, problem.sizes.emplace_back());
    }
}

/// The extents along X, Y and Z.
struct T1Axes {
    std::vector<std::string> texts;
};

void read(const JsonPlace& place, T1Axes& axes) {
    JsonObject object(place);
    for (const char* axis : {"X", "Y", "Z"}) {
        T1Expression expression;
        if (object.optional(axis, expression)) axes.texts.push_back(expression.text);
    }
}

/// The product of the expressions in a list; "" of null.
struct T1Divisor {
    std::string product;
};

void read(const JsonPlace& place, T1Divisor& divisor) {
    if (place.value().is_null()) return;
    std::vector<T1Expression> factors;
    kernelgen::read(place, factors);
    for (const T1Expression& each : factors)
        divisor.product += (divisor.product.empty() ? "" : " * ") + ("(" + each.text + ")");
}

/// The grid by the problem's size and the part of it that each block takes; nothing where no part is told.
std::vector<std::string> grid_by_parts(JsonObject& object, const std::vector<std::int64_t>& problem) {
    const char* keys[] = {"GridDivX", "GridDivY", "GridDivZ"};
    std::vector<std::string> grid;
    bool has_divisors = false;
    for (std::size_t i = 0; i < std::min(problem.size(), std::size(keys)); ++i) {
        T1Divisor divisor;
        object.optional(keys[i], divisor);
        has_divisors = has_divisors || !divisor.product.empty();
        grid.push_back(divisor.product.empty() ? std::to_string(problem[i])
                                               : std::format("cdiv({}, {})", problem[i], divisor.product));
    }
    return has_divisors ? grid : std::vector<std::string>();
}

/// Reads the grid by its parts, or else as it is given: in blocks, or as OpenCL has it, in threads.
void read_grid(const JsonPlace& place, JsonObject& object, T1Kernel& kernel) {
    kernel.grid = grid_by_parts(object, kernel.problem);
    if (!kernel.grid.empty()) return;
    std::string kind = "CUDA";
    object.optional("GlobalSizeType", kind);
    T1Axes axes;
    object.optional("GlobalSize", axes);
    kernel.grid = axes.texts;
    const bool is_of_threads = kind == "OpenCL";
    for (std::size_t i = 0; is_of_threads && i < std::min(kernel.grid.size(), kernel.block.size()); ++i)
        kernel.grid[i] = std::format("cdiv({}, {})", kernel.grid[i], kernel.block[i]);
    if (kernel.grid.empty() || !(is_of_threads || kind == "CUDA" || kind == "Vulkan"))
        place.error("the number of blocks cannot be told",
                    "give ProblemSize with GridDivX, or GlobalSize with a GlobalSizeType of CUDA (blocks) or OpenCL "
                    "(threads)");
}

void read_arguments(const JsonPlace& place, const SpaceDescription& space, T1Kernel& kernel) {
    if (!place.expect_array()) return;
    for (std::size_t i = 0; i < place.size(); ++i)
        kernel.arguments.push_back(read_t1_argument(place.element(i), kernel.problem, space));
}

void read(const JsonPlace& place, const SpaceDescription& space, T1Kernel& kernel) {
    JsonObject object(place);
    std::string language;
    T1Bytes shared;
    T1Problem problem;
    T1Axes block;
    object.required("Language", language);
    if (!language.empty() && language != "CUDA")
        return place.error("the language " + in_backquotes(language) + " is not CUDA");
    object.required("KernelName", kernel.name);
    object.required("KernelFile", kernel.file);
    object.optional("BenchmarkName", kernel.benchmark);
    object.optional("CompilerOptions", kernel.options);
    object.optional("ProblemSize", problem);
    kernel.problem = problem.sizes;
    object.required("LocalSize", block);
    kernel.block = block.texts;
    if (object.optional("SharedMemory", shared) && shared.text != "0") kernel.shared_bytes = shared.text;
    read_grid(place, object, kernel);
    const std::string key = "Arguments";
    const auto arguments = place.value().find(key);
    if (arguments == place.value().end()) return place.error("the key `Arguments` is missing");
    read_arguments(place.member(key, *arguments), space, kernel);
}

}  // namespace

Validated<T1Kernel> read_t1_kernel(std::string_view text, const SpaceDescription& space, const std::string& file) {
    const Validated<json> document = parse_json(text, file);
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    T1Kernel kernel;
    const JsonPlace place(*document, diagnostics);
    const std::string key = "KernelSpecification";
    const auto found = document->is_object() ? document->find(key) : document->end();
    if (found == document->end() || !found->is_object())
        place.error("it has no `KernelSpecification`: there is no kernel to import");
    else read(place.member(key, *found), space, kernel);
    for (Diagnostic& each : diagnostics) each.file = file;
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return kernel;
}

}  // namespace kernelgen
