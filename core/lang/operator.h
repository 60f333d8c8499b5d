// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/lang/accumulation.h"
#include "core/lang/family.h"
#include "core/tensor/domain.h"
#include "core/tensor/dtype.h"

namespace kernelgen {

/// Sizes of symbols, by name.
using Sizes = std::map<std::string, std::int64_t>;

/// What the elements of an output hold bits of, where the judge does not have its dtype (docs/CALLABLE.md).
struct HeldBits {
    std::string dtype;  ///< PyTorch's name of an integer dtype, such as "int64"; "": they are themselves
    int parts = 1;      ///< elements that are one of it, the lowest bits first: the last extent, where it is not 1

    bool operator==(const HeldBits&) const = default;
};

/// A named tensor of an operator. Row-major and contiguous.
struct Tensor {
    std::string name;
    std::vector<std::string> shape;     ///< symbols or positive integers, outermost first; empty: a scalar
    std::optional<DType> dtype;         ///< its own dtype; nothing: the case's
    std::optional<Domain> domain = {};  ///< of an input: the values that it may have; nothing: all values
    bool is_mutated = false;            ///< an input of family `callable` that a call changes; not in project.json
    bool is_linked = false;             ///< the same of one that belongs together with all others that are so
    HeldBits bits = {};                 ///< of an output of family `callable`; not in project.json

    bool operator==(const Tensor&) const = default;
};

/// The type of an attribute. C++ kernels take it as `double`, `int64_t` or `bool`, Python functions as `float`, `int`
/// or `bool`.
enum class AttributeType { real, integer, boolean };

/// A named scalar of an operator, such as `eps`.
struct Attribute {
    std::string name;
    double value = 0;  ///< an integer (at most 2^53) is held exactly; a boolean is 0 or 1
    AttributeType type = AttributeType::real;

    bool operator==(const Attribute&) const = default;
};

/// The mathematical definition of an operator: what is computed, not how.
struct Operator {
    std::string name;
    Family family = Family::tile;
    std::string description;
    std::vector<std::string> symbols;
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    std::vector<Attribute> attributes;
    std::string body;                        ///< assignments, separated by ';' or newlines
    std::vector<std::string> constraints;    ///< integer conditions on the symbols
    std::optional<DType> arithmetic;         ///< f32 or f64; nothing: `default_arithmetic` of the case's dtype
    std::optional<Accumulation> accumulate;  ///< of a contraction or attention; nothing: the arithmetic
    std::string reference;                   ///< of family `custom`: the name of the variant that is the reference
    std::string file;  ///< of family `callable`: the Python file that defines it; JSON "definition"

    bool operator==(const Operator&) const = default;
};

/// One binding of symbols to sizes, with a dtype.
struct Case {
    std::string name;
    DType dtype = DType::f32;
    Sizes sizes;

    bool operator==(const Case&) const = default;
};

/// Whether both have the same dtype and sizes, whatever their names are; without sizes, the same name.
bool is_same_case(const Case& one, const Case& other);

DType dtype_of(const Tensor& tensor, const Case& binding);
DType arithmetic_of(const Operator& definition, const Case& binding);

/// The size of each dimension of `tensor`; `sizes` must have all of its symbols.
std::vector<std::int64_t> extents(const Tensor& tensor, const Sizes& sizes);

/// The number of elements; nothing where it does not fit in 63 bits.
std::optional<std::int64_t> element_count(const Tensor& tensor, const Sizes& sizes);

}  // namespace kernelgen
