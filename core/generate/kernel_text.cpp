// SPDX-License-Identifier: Apache-2.0
#include "core/generate/kernel_text.h"

#include <algorithm>

#include "core/generate/body_text.h"
#include "core/generate/exact_values.h"
#include "core/project/attribute_value.h"

namespace kernelgen {

namespace {

constexpr std::size_t longest_line = 112;

std::string cpp_type(std::optional<DType> dtype) {
    if (!dtype) return "DTYPE";
    switch (*dtype) {
        case DType::f64: return "double";
        case DType::f32: return "float";
        case DType::i32: return "int32_t";
        case DType::i8: return "int8_t";
        default: return "kg_" + std::string(to_string(*dtype));
    }
}

}  // namespace

/// Whether a header that kernels see declares it: C's library, CUDA's mathematics, and both with `f` for float.
bool is_declared(std::string_view name) {
    static constexpr std::string_view declared[] = {
        "abs",        "acos",    "acosh",    "asin",      "asinh",     "assert",    "atan",   "atan2",  "atanh",
        "cbrt",       "ceil",    "clock",    "copysign",  "cos",       "cosh",      "cospi",  "div",    "erf",
        "erfc",       "erfcinv", "erfcx",    "erfinv",    "exp",       "exp10",     "exp2",   "expm1",  "fabs",
        "fdim",       "fdivide", "floor",    "fma",       "fmax",      "fmin",      "fmod",   "free",   "frexp",
        "gamma",      "hypot",   "ilogb",    "index",     "j0",        "j1",        "jn",     "labs",   "ldexp",
        "lgamma",     "llabs",   "llmax",    "llmin",     "llrint",    "llround",   "log",    "log10",  "log1p",
        "log2",       "logb",    "lrint",    "lround",    "main",      "malloc",    "max",    "memcpy", "memset",
        "min",        "modf",    "nan",      "nearbyint", "nextafter", "norm",      "norm3d", "norm4d", "normcdf",
        "normcdfinv", "pow",     "powi",     "printf",    "rcbrt",     "remainder", "remquo", "rhypot", "rint",
        "rnorm",      "rnorm3d", "rnorm4d",  "round",     "rsqrt",     "scalbln",   "scalbn", "select", "signbit",
        "sin",        "sincos",  "sincospi", "sinh",      "sinpi",     "sqrt",      "tan",    "tanh",   "tgamma",
        "trunc",      "ullmax",  "ullmin",   "umax",      "umin",      "y0",        "y1",     "yn"};
    return std::ranges::find(declared, name) != std::end(declared);
}

std::string entry_name(const Operator& definition) {
    const std::string& name = definition.name;
    if (name.starts_with("kg")) return "op_" + name;  // names of this program's own begin so
    const bool is_taken = is_declared(name) || (name.ends_with('f') && is_declared(name.substr(0, name.size() - 1)));
    return Names().take(name) == name && !is_taken ? name : name + "_kernel";
}

KernelText::KernelText(const Operator& definition, const Body& lowered)
    : definition_(definition),
      body_(lowered),
      entry_(entry_name(definition)),
      expressions_(definition, lowered),
      must_be_named_(named_values(lowered)) {
    name_parameters();
}

std::string KernelText::dimension(const std::string& name) const {
    if (const auto size = sizes_.find(name); size != sizes_.end()) return size->second;
    if (name.starts_with('(')) return integers(name);  // of attention over a paged cache
    const auto found = std::ranges::find(definition_.symbols, name);
    return found == definition_.symbols.end() ? name
                                              : symbols_[static_cast<std::size_t>(found - definition_.symbols.begin())];
}

std::string KernelText::integers(const std::string& expression) const {
    return with_names(expression, [&](const std::string& name) { return dimension(name); });
}

RowWords KernelText::row_words() const {
    return {.dimension = [this](const std::string& name) { return dimension(name); }};
}

std::string KernelText::row_of(const Tensor& tensor) const {
    return row_index_text(tensor.shape, body_.space, row_words());
}

std::string KernelText::row_count() const {
    return product_text({body_.space.begin(), body_.space.end() - 1}, row_words());
}

void KernelText::name_parameters() {
    names_.take(entry_);
    for (const Tensor& input : definition_.inputs)
        inputs_.push_back({names_.take(input.name), "const " + cpp_type(input.dtype), ""});
    for (const Tensor& output : definition_.outputs)
        outputs_.push_back({names_.take(output.name), cpp_type(output.dtype), ""});
    for (const std::string& symbol : definition_.symbols) symbols_.push_back(names_.take(symbol));
    for (const Attribute& attribute : definition_.attributes) attributes_.push_back(names_.take(attribute.name));
    expressions_.symbols = symbols_;
    expressions_.attributes = attributes_;
}

void KernelText::write_head(std::string_view explanation) {
    source_.line("// SPDX-License-Identifier: Apache-2.0");
    const std::vector<std::string> statements = body_statements(definition_);
    if (statements.size() > 1) source_.line("// " + definition_.name + ":");
    for (const std::string& each : statements) {
        source_.line((statements.size() > 1 ? "//     " : "// " + definition_.name + ": ") + each);
    }
    source_.line("// " + std::string(explanation));
}

void KernelText::write_include(std::string_view header) {
    const bool own_dtypes =
        std::ranges::any_of(definition_.outputs, [](const Tensor& output) { return output.dtype.has_value(); });
    if (own_dtypes && header.ends_with(".cuh"))
        source_.line("#define KG_PRECISE  // an output may be more precise than DTYPE");
    source_.line("#include \"" + std::string(header) + "\"");
    source_.line();
}

void KernelText::write_arithmetic(bool on_gpu) {
    const auto is_exact = [&](DType of_case) { return is_exact_in_f32(definition_, body_, of_case); };
    const bool is_set = definition_.arithmetic.has_value();
    if (is_set && *definition_.arithmetic == DType::f64 && is_exact(DType::i8) && is_exact(DType::f32)) {
        source_.line("// What float holds of this body it holds exactly: double is only for double and int32_t.");
        source_.line("using T = kg::narrow_arithmetic<DTYPE>;");
    } else if (is_set) {
        source_.line("using T = kg::arithmetic<" + cpp_type(definition_.arithmetic) + ">;");
    } else if (!on_gpu && is_exact(DType::i8)) {
        source_.line("using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t");
    } else {
        source_.line("using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer");
    }
}

void KernelText::open_function(const std::string& head, const std::vector<std::string>& parameters) {
    std::string line = head + "(";
    const bool breaks_at_once = line.size() > 64;
    const std::string indent(breaks_at_once ? 4 : line.size(), ' ');
    if (breaks_at_once) {
        source_.line(line);
        line = indent;
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string part = parameters[i] + (i + 1 < parameters.size() ? "," : ") {");
        if (line.size() + part.size() > longest_line) {
            source_.line(line);
            line = indent + part;
        } else {
            line += (line.ends_with('(') || line == indent ? "" : " ") + part;
        }
    }
    source_.open(line);
}

std::vector<std::string> KernelText::parameters(const std::string& pointer) const {
    std::vector<std::string> result;
    for (const auto* tensors : {&inputs_, &outputs_}) {
        for (const TensorNames& each : *tensors) result.push_back(each.type + pointer + each.pointer);
    }
    for (const std::string& each : symbols_) result.push_back("int64_t " + each);
    for (std::size_t i = 0; i < attributes_.size(); ++i)
        result.push_back(std::string(cpp_type(definition_.attributes[i].type)) + " " + attributes_[i]);
    return result;
}

void KernelText::open_kernel(const std::string& attributes) {
    open_function("extern \"C\" __global__ " + attributes + "void " + entry_, parameters("* __restrict__ "));
}

bool KernelText::is_output(int node) const { return std::ranges::find(body_.outputs, node) != body_.outputs.end(); }

std::string KernelText::wish(int node, const std::string& suffix) const {
    const Node& value = at(node);
    if (value.label.empty()) return name_of_unlabelled(value.op) + suffix;
    // An output's own name is that of its pointer.
    return value.label + (is_output(node) && suffix.empty() ? (value.per_column ? "_j" : "_i") : suffix);
}

void KernelText::write_value(int node, bool is_auto) {
    const bool is_condition = expressions_.is_condition(node);
    const std::string name = names_.take(wish(node, ""));
    source_.line((is_auto        ? "const auto "
                  : is_condition ? "const bool "
                                 : "const T ") +
                 name + " = " + expressions_.definition(node) + ";");
    expressions_.name(node, name, is_condition);
}

void KernelText::write_constant_divisors(bool for_host) {
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
        if (is_leaf(at(node).op) && at(node).op != Op::input) write_divisor(node, for_host);
    }
}

void KernelText::write_divisor(int node, bool for_host) {
    const auto divides_columns = [&](const Node& each) {
        return each.op == Op::divide && each.operands[1] == node && at(each.operands[0]).per_column;
    };
    if (at(node).per_column || std::ranges::none_of(body_.nodes, divides_columns)) return;
    const std::string value = expressions_.number(node);
    const bool is_word = value.find_first_of("(. ") == std::string::npos;
    const std::string name = names_.take(is_word ? "by_" + value : "by_constant");
    // In parentheses `T(eps)` would declare a parameter, and the divisor a function.
    const bool is_parameter = at(node).op == Op::attribute || at(node).op == Op::symbol;
    if (for_host) source_.line("const auto " + name + " = kg::divisor(" + value + ");");
    else source_.line("const kg::Divisor<T> " + name + (is_parameter ? "{" + value + "};" : "(" + value + ");"));
    expressions_.name_divisor(node, name);
}

}  // namespace kernelgen
