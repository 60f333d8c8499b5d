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
    else place.error(say("{}: {}", in_backquotes(python), text.error().message));
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

<<<<<<< HEAD
/// The grid by the problem's size and the part of it that each block takes; nothing where no part is told.
std::vector<std::string> grid_by_parts(JsonObject& object, const std::vector<std::int64_t>& problem) {
=======
std::optional<DType> dtype_of_type(std::string_view type) {
    static constexpr std::pair<std::string_view, DType> types[] = {
        {"float", DType::f32},   {"double", DType::f64}, {"half", DType::f16},  {"float32", DType::f32},
        {"float64", DType::f64}, {"int", DType::i32},    {"int32", DType::i32}, {"int8", DType::i8}};
    const auto found = std::ranges::find(types, type, &std::pair<std::string_view, DType>::first);
    return found == std::end(types) ? std::nullopt : std::optional(found->second);
}

/// Reads arguments, whose sizes name the problem's and the parameters' largest values.
class ArgumentReader {
public:
    ArgumentReader(const std::vector<std::int64_t>& problem, const SpaceDescription& space)
        : problem_(problem), space_(space) {}

    void read(const JsonPlace& place, T1Argument& argument) const {
        std::string type, memory = "Vector", access, memory_kind;
        T1Size size;
        JsonObject object(place);
        object.required("Name", argument.name);
        object.required("Type", type);
        object.optional("MemoryType", memory);
        if (const auto dtype = dtype_of_type(type); dtype && memory == "Scalar")
            return read_scalar(place, *dtype, argument);
        object.required("AccessType", access);
        object.optional("MemType", memory_kind);
        object.required("Size", size);
        if (const auto dtype = dtype_of_type(type)) argument.dtype = *dtype;
        else place.error(say("the type {} is not known here", in_backquotes(type)), "use float, double or int");
        if (memory != "Vector")
            place.error(say("the memory type {} is neither Vector nor Scalar", in_backquotes(memory)));
        if (access == "ReadWrite") place.error("it is read and written", "an input stays as it is: copy it first");
        argument.is_output = access == "WriteOnly";
        argument.is_constant = memory_kind == "Constant";
        argument.elements = elements(place, size.text);
    }

private:
    /// A scalar has its fill value: a number, or an expression as a vector's size.
    void read_scalar(const JsonPlace& place, DType dtype, T1Argument& argument) const {
        argument.dtype = dtype;
        const auto value = place.value().find("FillValue");
        const bool is_integral = dtype == DType::i32 || dtype == DType::i8;
        if (value == place.value().end() || !(value->is_number() || value->is_string()))
            return place.error("the scalar has no value", "give it a `FillValue`");
        if (value->is_string()) argument.value = std::to_string(elements(place, value->get<std::string>()));
        else if (is_integral) argument.value = integer_text(place, value->get<double>(), dtype);
        else argument.value = value->dump();
    }

    /// The integer of a scalar, without its fraction.
    static std::string integer_text(const JsonPlace& place, double value, DType dtype) {
        const double limit = std::ldexp(1.0, dtype == DType::i8 ? 7 : 31);
        if (value > -limit - 1 && value < limit) return std::to_string(static_cast<std::int64_t>(value));
        place.error(say("its `FillValue` {} is outside of {}", value, to_string(dtype)), "give it a smaller one");
        return "0";
    }

    static Result<std::int64_t> value_of(const std::string& size) {
        const Validated<IntegerExpression> expression = IntegerExpression::parse(size, "Size");
        return expression ? expression->evaluate({}) : fail(expression.error().front().message);
    }

    std::int64_t elements(const JsonPlace& place, std::string size) const {
        std::erase(size, ' ');
        for (std::size_t i = 0; i < problem_.size(); ++i)
            size = replaced(size, std::format("ProblemSize[{}]", i), std::to_string(problem_[i]));
        for (const Tunable& each : space_.parameters)
            size = replaced(size, "max(" + each.name + ")", std::to_string(each.values.back()));
        const Result<std::int64_t> value = value_of(size);
        if (value && *value > 0) return *value;
        const Said cause = value ? say("it is {}", *value) : value.error().message;
        place.error(say("the size {} cannot be computed: {}", in_backquotes(size), cause),
                    "write it with numbers, ProblemSize[i] and max(parameter)");
        return 0;
    }

    const std::vector<std::int64_t>& problem_;
    const SpaceDescription& space_;
};

void read_arguments(const JsonPlace& place, const SpaceDescription& space, T1Kernel& kernel) {
    if (!place.expect_array()) return;
    const ArgumentReader reader(kernel.problem, space);
    for (std::size_t i = 0; i < place.size(); ++i) reader.read(place.element(i), kernel.arguments.emplace_back());
}

/// Reads the grid: by the problem's size and the part of it that each block takes, or else as it is given.
void read_grid(const JsonPlace& place, JsonObject& object, T1Kernel& kernel) {
>>>>>>> 8dd9996c7a2749419377a9c035edbaebb2bcc487
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
<<<<<<< HEAD
    if (!language.empty() && language != "CUDA")
        return place.error("the language " + in_backquotes(language) + " is not CUDA");
=======
    if (language != "CUDA") place.error(say("the language {} is not CUDA", in_backquotes(language)));
>>>>>>> 8dd9996c7a2749419377a9c035edbaebb2bcc487
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
