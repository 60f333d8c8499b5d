// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/generate/source_text.h"
#include "core/lang/body.h"

namespace kernelgen {

/// Python's keywords and the names that generated files use themselves.
Names python_names();

/// The Python function of an operator, which its Triton and its PyTorch file both define: parameters, results, and
/// checks of the arguments.
class PythonInterface {
public:
    explicit PythonInterface(const Operator& definition);

    /// Writes the function's signature: the tensors, then symbols that no input has (`P: int`), then `told_dtype`, then
    /// the attributes with their values.
    void write_signature(SourceText& source) const;
    /// Writes the statements that check and unpack shapes, check dtypes and devices, and make inputs contiguous.
    void write_checks(SourceText& source) const;
    /// Writes the statements that call the function once on small inputs where the file is run as a program.
    void write_main(SourceText& source, bool by_triton) const;

    std::string function;  ///< the operator's name
    std::vector<std::string> inputs, outputs, symbols, attributes;
    Names names;                    ///< names in the function's scope
    std::vector<int> free_symbols;  ///< places of the symbols that no input has
    std::string told_dtype;         ///< parameter with the case's dtype, where no input has it: "out_dtype"; or ""

    std::vector<std::string> arguments() const;  ///< the parameters' names, in the signature's order
    std::string dtype() const;                   ///< expression for the case's dtype: "x.dtype"
    std::string device() const;                  ///< "x.device"
    std::string dtype_of(const Tensor& tensor) const;
    /// "(P, D)", "(D,)", "()".
    std::string shape(const std::vector<std::string>& dimensions) const;
    std::string dimension(const std::string& name) const;
    /// An integer expression over symbols in Python.
    std::string integers(const std::string& expression) const;

private:
    void write_shape_checks(SourceText& source) const;
    void write_derived_sizes(SourceText& source) const;
    void write_dtype_checks(SourceText& source) const;
    std::vector<std::string> small_arguments(const std::string& device) const;
    void write_call(SourceText& source, const std::vector<std::string>& arguments) const;
    void write_printing(SourceText& source, const std::string& device) const;
    int case_input() const;

    const Operator& definition_;
};

/// The output whose dtype the function gets as the parameter NAME_dtype: the first output with the case's dtype, where
/// no input has that dtype; else null.
const Tensor* output_with_told_dtype(const Operator& definition);

/// The name of a value of the body.
std::string name_of_value(const Node& node);

/// "torch.float32".
std::string torch_dtype(DType dtype);

}  // namespace kernelgen
