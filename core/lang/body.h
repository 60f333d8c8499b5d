// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lang/operations.h"
#include "core/lang/operator.h"

namespace kernelgen {

struct Contraction;
struct Attention;

/// A value of a body. Nodes stand in order of evaluation; equal subexpressions share one node.
struct Node {
    Op op = Op::constant;
    std::vector<int> operands;       ///< indices of earlier nodes
    double value = 0;                ///< of a constant
    int index = -1;                  ///< position of an input, attribute or symbol in the operator's list; of a
                                     ///< contraction the number of inputs: it is read like one more input. Of
                                     ///< attention's results that number and the next ones
    bool per_row = false;            ///< differs between rows of the iteration space
    bool per_column = false;         ///< differs between columns
    int depth = 0;                   ///< the most reductions on a path from this node to a leaf, itself included
    std::string label;               ///< the name that the body assigns it to, or empty
    std::vector<std::string> shape;  ///< by NumPy's rules; a reduction keeps its axis with size 1
};

/// A checked body. Its iteration space is the broadcast of all shapes: the last axis is the columns, the other axes
/// flatten to rows. A row of the space reads one row of each input (`row_map`). Where it has a contraction, its nodes
/// are the epilogue, and its space is that of the contraction's result. Of `attention_backward` it has the rows of the
/// largest gradient; each gradient has the first rows of the space, as many as are its own.
struct Body {
    std::vector<Node> nodes;
    std::vector<int> outputs;                  ///< node of each output of the operator
    std::vector<std::string> space;            ///< dimensions of the iteration space, outermost first; at least one
    int depth = 0;                             ///< the largest `depth` of all nodes
    std::vector<std::string> reduced_outputs;  ///< outputs that are declared without the last, reduced axis
    std::shared_ptr<const Contraction>
        contraction;  ///< `a @ b` or the convolution of the body (contraction.h); null: it has none
    std::shared_ptr<const Attention> attention;  ///< the only statement of a body that has it (attention.h), or null

    bool has_reductions() const { return depth > 0; }
};

/// Whether two nodes of one body have the same value: the same operation of the same operands.
bool is_same_value(const Node& a, const Node& b);

/// Removes the nodes that no output needs.
void drop_unused(Body& body);

/// Parses and checks the body of an operator of family `tile`: names, arity, shapes, cycles, unassigned outputs, unused
/// inputs. Messages have positions such as "body:1:17". All errors are reported, up to 100.
Validated<Body> analyse(const Operator& definition);

/// Rows and columns of the iteration space. Errors of `space_of`: a size that is missing, is below 1, makes the
/// space overflow 2^63 elements, or does not fit the body's convolution.
struct Space {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};
Result<Space> space_of(const Body& body, const Sizes& sizes);

/// Maps a row of the space to a row of an input or output: index = Σ (row / inner_i % size_i) · stride_i over the
/// leading dimensions that the tensor has. A tensor may have no row for the last rows of the space.
struct RowMap {
    struct Axis {
        std::int64_t inner = 1, size = 1, stride = 0;
    };
    std::vector<Axis> axes;  ///< the axes with stride ≠ 0
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t end = std::numeric_limits<std::int64_t>::max();  ///< rows of the space from here on have none

    bool has(std::int64_t row) const { return row < end; }
    std::int64_t operator()(std::int64_t row) const {
        std::int64_t index = 0;
        for (const Axis& axis : axes) index += row / axis.inner % axis.size * axis.stride;
        return index;
    }
};
RowMap row_map(const Body& body, const Tensor& tensor, const Sizes& sizes);

/// Sets `per_row`, `per_column` and the depth of a body whose nodes and space are known.
void mark_extents(Body& body);

}  // namespace kernelgen
