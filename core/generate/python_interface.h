// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/generate/source_text.h"
#include "core/lang/body.h"

namespace kernelgen {

/// Python's keywords and the names that generated files use themselves.
Names python_names();

/// The Python function of an operator, as both its Triton and its PyTorch file define it: parameters, what it returns
/// and the checks of what it is given.
class PythonInterface {
public:
    explicit PythonInterface(const Operator& definition);

    /// The tensors, then symbols that no input has (`P: int`), `told_dtype`, then the attributes with their values.
    void write_signature(SourceText& source) const;
    /// Checks and unpacks shapes, checks dtypes and devices; makes inputs contiguous.
    void write_checks(SourceText& source) const;
    /// Runs the function once on small inputs where the file is run as a program.
    void write_main(SourceText& source, bool by_triton) const;

    std::string function;  ///< the operator's name
    std::vector<std::string> inputs, outputs, symbols, attributes;
    Names names;                    ///< of the function's scope
    std::vector<int> free_symbols;  ///< places of the symbols that no input has
    std::string told_dtype;  ///< the parameter that is the case's dtype where no input has it: "out_dtype"; or ""

    std::string dtype() const;   ///< of the case: "x.dtype"
    std::string device() const;  ///< "x.device"
    std::string dtype_of(const Tensor& tensor) const;
    /// "(P, D)", "(D,)", "()".
    std::string shape(const std::vector<std::string>& dimensions) const;
    std::string dimension(const std::string& name) const;

private:
    void write_shape_checks(SourceText& source) const;
    void write_dtype_checks(SourceText& source) const;
    int case_input() const;

    const Operator& definition_;
};

/// The output whose dtype Python functions are told, as the parameter NAME_dtype: the first that has the case's dtype,
/// where no input has that. Or null.
const Tensor* output_with_told_dtype(const Operator& definition);

/// What a value of the body is called.
std::string name_of_value(const Node& node);

/// "torch.float32".
std::string torch_dtype(DType dtype);

/// The statements of a body, one a line.
std::vector<std::string> body_statements(const Operator& definition);

}  // namespace kernelgen
