// SPDX-License-Identifier: Apache-2.0
#include "core/generate/python_interface.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/generate/body_text.h"
#include "core/generate/python_expression.h"
#include "core/lang/contraction.h"
#include "core/lang/free_symbols.h"
#include "core/project/attribute_value.h"

namespace kernelgen {

namespace {

bool is_number(const std::string& dimension) { return dimension.find_first_not_of("0123456789") == std::string::npos; }

std::string python_value(const Attribute& attribute) {
    if (attribute.type == AttributeType::real) return python_number(attribute.value);
    if (attribute.type == AttributeType::integer) return attribute_text(attribute);
    return attribute.value != 0 ? "True" : "False";
}

/// "[P, D]", for people.
std::string bracketed(const std::vector<std::string>& dimensions) { return "[" + join(dimensions, ", ") + "]"; }

}  // namespace

Names python_names() {
    return Names({"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
                  "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
                  "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
                  // of the files themselves
                  "torch", "functools", "SDPBackend", "sdpa_kernel", "KERNELS", "attention_bias", "flex_attention",
                  "block_mask", "torch_npu", "triton", "tl", "os", "DEVICE", "T", "FAST", "POLICY", "BLOCK_M",
                  "BLOCK_N", "HEAD_SIZE", "SCALE", "ON_CPU", "LOAD_CACHE", "SPLIT_K", "STEP", "on_device",
                  "INTERPRETED", "policy", "ROWS_FIRST", "WHOLE_ROW", "i", "rows", "columns", "offsets", "mask",
                  "row_mask", "column_mask", "start", "row_tile", "column_tile", "grid", "tile", "rows_first",
                  "elements", "num_warps", "num_stages", "float", "range", "zip", "sum", "min", "max", "tuple", "list",
                  "main"});
}

std::string torch_dtype(DType dtype) {
    switch (dtype) {
        case DType::f64: return "torch.float64";
        case DType::f32: return "torch.float32";
        case DType::f16: return "torch.float16";
        case DType::bf16: return "torch.bfloat16";
        case DType::f8e4m3: return "torch.float8_e4m3fn";
        case DType::f8e5m2: return "torch.float8_e5m2";
        case DType::i32: return "torch.int32";
        case DType::i8: return "torch.int8";
    }
    return "";
}

std::string name_of_value(const Node& node) {
    if (!node.label.empty()) return node.label;
    return node.op == Op::row_sum ? "total" : name_of_unlabelled(node.op);
}

const Tensor* output_with_told_dtype(const Operator& definition) {
    const auto follows = [](const Tensor& tensor) { return !tensor.dtype; };
    if (std::ranges::any_of(definition.inputs, follows)) return nullptr;
    const auto found = std::ranges::find_if(definition.outputs, follows);
    return found == definition.outputs.end() ? nullptr : &*found;
}

PythonInterface::PythonInterface(const Operator& definition) : names(python_names()), definition_(definition) {
    function = names.take(definition.name);
    for (const Tensor& each : definition.inputs) inputs.push_back(names.take(each.name));
    for (const std::string& each : definition.symbols) symbols.push_back(names.take(each));
    for (const Attribute& each : definition.attributes) attributes.push_back(names.take(each.name));
    for (const Tensor& each : definition.outputs) outputs.push_back(names.take(each.name));
    if (const Tensor* told = output_with_told_dtype(definition)) told_dtype = names.take(told->name + "_dtype");
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (std::ranges::contains(kernelgen::free_symbols(definition), definition.symbols[i]))
            free_symbols.push_back(static_cast<int>(i));
    }
}

std::string PythonInterface::dimension(const std::string& name) const {
    if (name.starts_with('(')) return integers(name);  // of attention over a paged cache
    const auto found = std::ranges::find(definition_.symbols, name);
    return found == definition_.symbols.end() ? name
                                              : symbols[static_cast<std::size_t>(found - definition_.symbols.begin())];
}

std::string PythonInterface::integers(const std::string& expression) const {
    return with_names(expression, [&](const std::string& name) { return dimension(name); }, "//");
}

std::string PythonInterface::shape(const std::vector<std::string>& dimensions) const {
    std::vector<std::string> parts;
    for (const std::string& each : dimensions) parts.push_back(dimension(each));
    return "(" + join(parts, ", ") + (parts.size() == 1 ? ",)" : ")");
}

/// The first input that has the case's dtype, or -1.
int PythonInterface::case_input() const {
    const auto found = std::ranges::find(definition_.inputs, std::optional<DType>(), &Tensor::dtype);
    return found == definition_.inputs.end() ? -1 : static_cast<int>(found - definition_.inputs.begin());
}

std::string PythonInterface::dtype() const {
    const int input = case_input();
    if (input < 0) return told_dtype.empty() ? "torch.float32" : told_dtype;
    return inputs[static_cast<std::size_t>(input)] + ".dtype";
}

std::string PythonInterface::device() const { return inputs.empty() ? "\"cpu\"" : inputs[0] + ".device"; }

std::string PythonInterface::dtype_of(const Tensor& tensor) const {
    return tensor.dtype ? torch_dtype(*tensor.dtype) : dtype();
}

std::vector<std::string> PythonInterface::arguments() const {
    std::vector<std::string> all = inputs;
    for (const int each : free_symbols) all.push_back(symbols[static_cast<std::size_t>(each)]);
    if (!told_dtype.empty()) all.push_back(told_dtype);
    all.insert(all.end(), attributes.begin(), attributes.end());
    return all;
}

void PythonInterface::write_signature(SourceText& source) const {
    std::vector<std::string> parameters;
    for (const std::string& each : inputs) parameters.push_back(each + ": torch.Tensor");
    for (const int each : free_symbols) parameters.push_back(symbols[static_cast<std::size_t>(each)] + ": int");
    if (!told_dtype.empty()) parameters.push_back(told_dtype + ": torch.dtype = torch.float32");
    for (std::size_t i = 0; i < attributes.size(); ++i)
        parameters.push_back(attributes[i] + ": " + std::string(python_type(definition_.attributes[i].type)) + " = " +
                             python_value(definition_.attributes[i]));
    std::vector<std::string> results(outputs.size(), "torch.Tensor");
    const std::string result = results.size() == 1 ? results[0] : "tuple[" + join(results, ", ") + "]";
    const std::string line = "def " + function + "(" + join(parameters, ", ") + ") -> " + result + ":";
    if (line.size() <= 110) return source.open(line);
    source.open("def " + function + "(");
    for (const std::string& each : parameters) source.line(each + ",");
    source.close(") -> " + result + ":");
    source.begin();
}

void PythonInterface::write_checks(SourceText& source) const {
    write_shape_checks(source);
    write_derived_sizes(source);
    write_dtype_checks(source);
    for (const std::string& each : inputs) source.line(each + " = " + each + ".contiguous()");
}

void PythonInterface::write_shape_checks(SourceText& source) const {
    std::vector<std::string> known;
    for (const int each : free_symbols) known.push_back(definition_.symbols[static_cast<std::size_t>(each)]);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::vector<std::string>& dimensions = definition_.inputs[i].shape;
        const std::string& name = inputs[i];
        const std::string is = "; its shape is {list(" + name + ".shape)}";
        std::vector<std::string> places;  // of symbols that are new
        bool only_new = true;
        for (std::size_t axis = 0; axis < dimensions.size(); ++axis) {
            const bool is_new = !is_number(dimensions[axis]) && !std::ranges::contains(known, dimensions[axis]);
            if (is_new) known.push_back(dimensions[axis]);
            only_new &= is_new;
            places.push_back(is_new ? dimension(dimensions[axis]) : "_");
        }
        if (std::ranges::any_of(places, [](const std::string& each) { return each != "_"; })) {
            source.open("if " + name + ".dim() != " + std::to_string(places.size()) + ":");
            source.line("raise ValueError(f\"" + name + " must be " + bracketed(dimensions) + is + "\")");
            source.end();
            source.line((places.size() == 1 ? "(" + places[0] + ",)" : join(places, ", ")) + " = " + name + ".shape");
        }
        if (only_new && !dimensions.empty()) continue;
        source.open("if " + name + ".shape != " + shape(dimensions) + ":");
        source.line("raise ValueError(f\"" + name + " must be " + bracketed(dimensions) + " = {list(" +
                    shape(dimensions) + ")}" + is + "\")");
        source.end();
    }
}

void PythonInterface::write_derived_sizes(SourceText& source) const {
    const auto require = [&](const std::string& name, const std::string& value) {
        source.open("if " + name + " != " + value + ":");
        source.line("raise ValueError(f\"" + name + " must be " + value + " = {" + value + "}; it is {" + name +
                    "}\")");
        source.end();
    };
    for (const DerivedSize& each : derived_sizes(definition_)) {
        const std::string name = dimension(each.symbol), value = integers(each.value);
        const auto has = [&](const Tensor& input) { return std::ranges::contains(input.shape, each.symbol); };
        if (std::ranges::none_of(definition_.inputs, has)) {
            source.line(name + " = " + value);
            continue;
        }
        require(name, value);
    }
    for (const DerivedSize& each : required_sizes(definition_)) require(dimension(each.symbol), integers(each.value));
}

void PythonInterface::write_dtype_checks(SourceText& source) const {
    const int first = case_input();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string& name = inputs[i];
        const std::string is = "; it is {" + name + ".dtype}";
        if (static_cast<int>(i) == first) {
            source.open("if " + name + ".dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):");
            source.line("raise TypeError(f\"" + name + " must be float64, float32, float16 or bfloat16" + is + "\")");
        } else {
            const std::string wanted = dtype_of(definition_.inputs[i]);
            source.open("if " + name + ".dtype != " + wanted + ":");
            source.line("raise TypeError(f\"" + name + " must be {" + wanted + "}" + is + "\")");
        }
        source.end();
        if (i == 0) continue;
        source.open("if " + name + ".device != " + device() + ":");
        source.line("raise ValueError(f\"" + name + " must be on {" + device() + "}, where " + inputs[0] +
                    " is; it is on {" + name + ".device}\")");
        source.end();
    }
}

/// The arguments of a call on small inputs: rows of 100 elements, and 7 of everything else, as far as they fit.
std::vector<std::string> PythonInterface::small_arguments(const std::string& device) const {
    const auto is_last = [&](const std::string& symbol) {
        return std::ranges::any_of(
            definition_.inputs, [&](const Tensor& each) { return !each.shape.empty() && each.shape.back() == symbol; });
    };
    Sizes small;
    for (const std::string& each : definition_.symbols) small[each] = is_last(each) ? 100 : 7;
    fit_sizes(definition_, small);
    std::vector<std::string> arguments;
    for (const Tensor& each : definition_.inputs) {
        std::vector<std::string> sizes;
        for (const std::string& dimension : each.shape)
            sizes.push_back(is_number(dimension) ? dimension : std::to_string(small.at(dimension)));
        std::string made =
            "torch.randn((" + join(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")") + ", device=" + device + ")";
        if (each.dtype) made += ".to(" + torch_dtype(*each.dtype) + ")";
        arguments.push_back(made);
    }
    for (const int each : free_symbols) arguments.push_back(symbols[static_cast<std::size_t>(each)] + "=7");
    return arguments;
}

void PythonInterface::write_call(SourceText& source, const std::vector<std::string>& arguments) const {
    const bool one = outputs.size() == 1;
    const std::string opened = "results = " + std::string(one ? "[" : "") + function + "(";
    const std::string closed = one ? ")]" : ")";
    if (join(arguments, ", ").size() + function.size() < 95) {
        source.line(opened + join(arguments, ", ") + closed);
        return;
    }
    source.open(opened);
    for (const std::string& each : arguments) source.line(each + ",");
    source.close(closed);
}

void PythonInterface::write_printing(SourceText& source, const std::string& device) const {
    source.open("if \"--json\" in sys.argv[1:]:");
    source.line("print(json.dumps({\"operator\": \"" + definition_.name + "\", \"device\": " + device +
                ", \"outputs\": outputs}))");
    source.end();
    source.open("else:");
    source.open("for each in outputs:");
    source.line("print(f\"" + definition_.name + " on {" + device +
                "}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}\")");
    source.end();
    source.end();
}

void PythonInterface::write_main(SourceText& source, bool by_triton) const {
    source.line();
    source.line();
    source.open("def main() -> None:");
    source.line(
        "\"\"\"One call on small inputs, which shows that the file works here; --json prints it for programs.\"\"\"");
    source.line("import json");
    source.line("import sys");
    source.line();
    if (!by_triton) source.line("device = \"cuda\" if torch.cuda.is_available() else \"cpu\"");
    const std::string device = by_triton ? "DEVICE" : "device";
    source.line("torch.manual_seed(0)");
    write_call(source, small_arguments(device));
    std::vector<std::string> quoted;
    for (const Tensor& each : definition_.outputs) quoted.push_back("\"" + each.name + "\"");
    source.line("outputs = [");
    source.line(
        "    {\"name\": name, \"shape\": list(each.shape), \"dtype\": str(each.dtype), \"mean\": "
        "each.double().mean().item()}");
    source.line("    for name, each in zip((" + join(quoted, ", ") + (quoted.size() == 1 ? ",)" : ")") + ", results)");
    source.line("]");
    write_printing(source, device);
    source.end();
    source.line();
    source.line();
    source.open("if __name__ == \"__main__\":");
    source.line("main()");
    source.end();
}

}  // namespace kernelgen
