// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/project/tensor_map.h"
#include "core/tensor/dtype.h"

namespace kernelgen {

/// A `__constant__` variable of a CUDA source, into which each call copies an input before the launch.
struct ConstantCopy {
    std::string constant;  ///< the variable's name
    std::string from;      ///< an input

    bool operator==(const ConstantCopy&) const = default;
};

/// How one kernel of a variant is started. Its expressions may name what `values_of` gives (core/project/values.h).
struct Launch {
    std::string entry;               ///< function of this launch; empty: the variant's
    std::vector<std::string> grid;   ///< one to three expressions
    std::vector<std::string> args;   ///< names of inputs, outputs, workspace, attributes and symbols, in order, and
                                     ///< `tensor_map_argument` of tensor maps
    std::vector<int> order;          ///< host: grid axes from slowest to fastest; empty: as written
    std::string threads;             ///< host: number of threads; empty: one for each CPU
    std::vector<std::string> block;  ///< cuda: threads of a block
    std::string shared_bytes;        ///< cuda: dynamic shared memory
    std::vector<ConstantCopy> constants = {};  ///< cuda; in JSON among `args`
    std::vector<TensorMap> tensor_maps = {};   ///< cuda; in JSON among `args`

    bool operator==(const Launch&) const = default;
};

/// What a launch is given: its arguments by name, "tensor map of a" of a tensor map, then "d_filter from filter" of
/// each constant.
std::vector<std::string> argument_texts(const Launch& launch);

/// A scratch buffer that the launches of one call share; its content before the first launch is undefined.
struct Workspace {
    std::string name;
    std::vector<std::string> shape;  ///< integer expressions
    DType dtype = DType::f32;

    bool operator==(const Workspace&) const = default;
};

}  // namespace kernelgen
