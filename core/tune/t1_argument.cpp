// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t1_argument.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/lang/integer_expression.h"

namespace kernelgen {

using nlohmann::json;

namespace {

struct T1Type {
    std::string_view name;
    std::optional<DType> dtype = {};  ///< of a vector's elements; nothing: tensors cannot have it
    int integer_bits = 0;             ///< 0: a floating-point type
    bool is_signed = true;
};

constexpr T1Type t1_types[] = {
    {"float", DType::f32},     {"float32", DType::f32},   {"double", DType::f64},    {"float64", DType::f64},
    {"half", DType::f16},      {"int", DType::i32, 32},   {"int32", DType::i32, 32}, {"int8", DType::i8, 8},
    {"bool", {}, 1, false},    {"uint", {}, 32, false},   {"uint8", {}, 8, false},   {"int16", {}, 16},
    {"uint16", {}, 16, false}, {"uint32", {}, 32, false}, {"int64", {}, 64},         {"uint64", {}, 64, false}};

const T1Type* type_named(std::string_view name) {
    const auto* found = std::ranges::find(t1_types, name, &T1Type::name);
    return found == std::end(t1_types) ? nullptr : found;
}

/// Of "float4" 4, which is left out of the name; 1 of other types.
int taken_lanes(std::string& type) {
    if (type_named(type) != nullptr || type.empty()) return 1;
    const char last = type.back();
    const T1Type* of = type_named(std::string_view(type).substr(0, type.size() - 1));
    if (last < '2' || last > '4' || of == nullptr || !of->dtype) return 1;
    type.pop_back();
    return last - '0';
}

/// A number of elements, or an expression for it as T1 has it.
struct T1Size {
    std::string text;
};

void read(const JsonPlace& place, T1Size& size) {
    if (place.value().is_number_integer()) size.text = place.value().dump();
    else kernelgen::read(place, size.text);
}

/// The text with every `word` replaced.
std::string with_replaced(std::string text, std::string_view word, const std::string& by) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    return text;
}

Result<std::int64_t> value_of_size(const std::string& size) {
    const Validated<IntegerExpression> expression = IntegerExpression::parse(size, "Size");
    return expression ? expression->evaluate({}) : fail(expression.error().front().message);
}

/// The integer of a scalar, without its fraction.
std::string integer_text(const JsonPlace& place, double value, const T1Type& type) {
    const int bits = type.integer_bits - (type.is_signed ? 1 : 0);
    const double least = type.is_signed ? -std::ldexp(1.0, bits) : 0;
    const bool is_wide = type.integer_bits == 64;  // doubles have no fraction there
    if ((is_wide ? value >= least : value > least - 1) && value < std::ldexp(1.0, bits))
        return value < 0 ? std::to_string(static_cast<std::int64_t>(value))
                         : std::to_string(static_cast<std::uint64_t>(value));
    place.error(say("its `FillValue` {} is outside of {}", value, type.name), "give it another one");
    return "0";
}

class ArgumentReader {
public:
    ArgumentReader(const JsonPlace& place, const std::vector<std::int64_t>& problem, const SpaceDescription& space)
        : place_(place), problem_(problem), space_(space) {}

    void read(T1Argument& argument) const {
        std::string type_name, memory = "Vector";
        JsonObject object(place_);
        object.optional("Name", argument.name);
        object.required("Type", type_name);
        object.optional("MemoryType", memory);
        const std::string whole_name = type_name;
        const int lanes = taken_lanes(type_name);
        const T1Type* type = type_named(type_name);
        if (memory != "Vector" && memory != "Scalar")
            return place_.error(say("the memory type {} is neither Vector nor Scalar", in_backquotes(memory)));
        const bool is_scalar = memory == "Scalar";
        if (type == nullptr || (is_scalar ? lanes > 1 : !type->dtype))
            return place_.error(is_scalar ? say("scalars of the type {} are not known here", in_backquotes(whole_name))
                                          : say("vectors of the type {} are not known here", in_backquotes(whole_name)),
                                "use float, double, half, int or int8");
        if (is_scalar) return read_scalar(*type, argument);
        argument.dtype = *type->dtype;
        read_vector(object, argument);
        if (__builtin_mul_overflow(argument.elements, std::int64_t{lanes}, &argument.elements))
            place_.error("it is too large");
    }

private:
    void read_vector(JsonObject& object, T1Argument& argument) const {
        std::string access, memory_kind;
        T1Size size;
        object.required("AccessType", access);
        object.optional("MemType", memory_kind);
        object.required("Size", size);
        argument.is_begun = access == "ReadWrite" && is_constant_output();
        if (access == "ReadWrite" && !argument.is_begun)
            place_.error("it is read and written", "an input stays as it is: copy it first");
        argument.is_output = access == "WriteOnly" || argument.is_begun;
        argument.is_constant = memory_kind == "Constant";
        if (!size.text.empty()) argument.elements = elements(size.text);
    }

    /// Whether the file calls it an output, and has no data for it.
    bool is_constant_output() const {
        const json output = place_.value().value("Output", json(0));
        const json fill = place_.value().value("FillType", json("Constant"));
        return (output == 1 || output == true) && fill == "Constant";
    }

    /// A scalar has its fill value: a number, or an expression as a vector's size.
    void read_scalar(const T1Type& type, T1Argument& argument) const {
        argument.dtype = type.dtype.value_or(DType::i32);
        const json value = place_.value().value("FillValue", json());
        if (value.is_boolean()) argument.value = value ? "1" : "0";
        else if (value.is_string()) argument.value = std::to_string(elements(value.get<std::string>()));
        else if (!value.is_number()) place_.error("the scalar has no value", "give it a `FillValue`");
        else if (type.integer_bits > 0) argument.value = integer_text(place_, value.get<double>(), type);
        else argument.value = value.dump();
    }

    std::int64_t elements(std::string size) const {
        std::erase(size, ' ');
        for (std::size_t i = 0; i < problem_.size(); ++i)
            size = with_replaced(size, std::format("ProblemSize[{}]", i), std::to_string(problem_[i]));
        for (const Tunable& each : space_.parameters)
            size = with_replaced(size, "max(" + each.name + ")", std::to_string(each.values.back()));
        const Result<std::int64_t> value = value_of_size(size);
        if (value && *value > 0) return *value;
        const Said cause = value ? say("it is {}", *value) : value.error().message;
        place_.error(say("the size {} cannot be computed: {}", in_backquotes(size), cause),
                     "write it with numbers, ProblemSize[i] and max(parameter)");
        return 0;
    }

    const JsonPlace& place_;
    const std::vector<std::int64_t>& problem_;
    const SpaceDescription& space_;
};

}  // namespace

T1Argument read_t1_argument(const JsonPlace& place, const std::vector<std::int64_t>& problem,
                            const SpaceDescription& space) {
    T1Argument argument;
    ArgumentReader(place, problem, space).read(argument);
    return argument;
}

}  // namespace kernelgen
