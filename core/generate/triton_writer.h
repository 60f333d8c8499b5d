// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/generate/convolution_view.h"
#include "core/generate/passes.h"
#include "core/generate/python_expression.h"
#include "core/generate/python_interface.h"
#include "core/generate/triton_dispatch.h"
#include "core/lang/attention.h"
#include "core/lang/contraction.h"
#include "core/project/variant.h"

namespace kernelgen {

/// How a generated Triton kernel divides its work.
enum class TritonForm {
    flat,         ///< without broadcasting: rows and columns are one axis, in ranges of BLOCK_N elements
    tiles,        ///< tiles of BLOCK_M rows and BLOCK_N columns
    rows,         ///< with reductions: BLOCK_M whole rows, in one tile where they fit BLOCK_N columns
    contraction,  ///< tiles of the product, BLOCK_K of the depth at a time
    attention,    ///< BLOCK_M rows of a head, BLOCK_N columns at a time
};

/// `text` moved by a distance. One that reaches beyond every tensor is cut, since indices are in 32 bits.
std::string moved(const std::string& text, std::int64_t distance);

/// A program of attention holds whole heads of at most so many elements.
inline constexpr int longest_triton_head = 256;

/// Writes NAME_triton.py for a lowered body: the kernel, the functions that it calls, and the Python function that
/// launches it.
class TritonWriter {
public:
    /// `defaults`: the values of BLOCK_M, BLOCK_N, num_warps and num_stages, where the form has them. `rules` change
    /// them for some sizes; `dispatch` becomes a function of its own. `sizes`: those of a convolution's view, of which
    /// `lowered` is the body then.
    TritonWriter(const Operator& definition, const Body& lowered, std::vector<Tunable> defaults,
                 std::vector<ConfigurationRule> rules = {}, std::vector<StatedRule> dispatch = {},
                 std::vector<NamedSize> sizes = {});
    std::string write();

private:
    struct Constant {
        std::string name, value;  ///< what the launch gives it
    };

    /// Rows and columns of an operand's space, their masks, and the dtype in which elements are multiplied.
    struct Places {
        std::string row, column, mask, row_mask, column_mask, dtype;
    };
    /// Of a convolution's images: row, column, and whether these are in the image.
    struct Tap {
        std::string h, w, inside;
    };

    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }
    bool has_rows() const { return body_.space.size() > 1; }
    std::string use(const std::string& name);
    std::string columns() { return use(dimension(body_.space.back())); }
    std::string kernel_name() const { return interface_.function + "_kernel"; }
    std::string row_product() const;
    std::string row_of(const Tensor& tensor);
    std::string place(const Tensor& tensor);
    std::string mask(const Tensor& tensor);

    void name_values();
    std::string wish(int node) const;

    void write_kernel();
    void write_flat();
    void write_tile();
    void write_contraction();
    void write_attention();
    void write_attention_places();
    void write_scores();
    void write_places();
    void write_weights();
    void write_logits();
    std::string key_tile(int input);
    /// An operand of 8 bits as tl.dot takes it: its values are exact in 16 bits.
    std::string as_operand(const std::string& text) const;
    /// The scales of rows or columns of a tile as a factor; "" where the operand has none.
    std::string times_row_scale(const OperandScale& scale, bool is_keys);
    std::string column_count();
    void write_dropout(const std::string& weights);
    void write_attention_backward();
    void write_query_gradients();
    void write_key_gradients();
    void write_gradient_rows(const std::string& head);
    void write_gradient_weights();
    std::string row_tile(int input);
    std::string columns_of_batch(const std::string& head, const std::string& heads);
    void write_product_of(const std::string& result, const std::string& left, const std::string& right);
    void write_sum(const std::string& sums, const std::string& weights, const std::string& lines, bool over_rows);
    void write_tile_places();
    void write_product();
    std::string place_of_part(const std::string& part);
    std::string write_operand(const ContractionOperand& operand, bool is_left);
    std::string write_elements(const ContractionOperand& operand, const std::string& side, const Places& places);
    Tap write_tap(const std::string& tap, const std::string& top, const std::string& left, const std::string& mask);
    std::string write_pixels(const ContractionOperand& images, const std::string& side, const std::string& row,
                             const std::string& column, const std::string& mask, const std::string& dtype);
    std::string write_patches(const ContractionOperand& images, bool is_left);
    void write_windows(int node);
    std::string dimension(const std::string& name) const;
    std::string row_in_batch(const ContractionOperand& operand, const std::string& row);
    std::string place_of(const Body& body, const Node& node, const std::string& row, const std::string& column);
    bool has_prologue() const;
    std::string precision() const;
    std::string multiplied_dtype() const;
    bool has_batch() const { return body_.contraction->shape.size() > 2; }
    std::string matrix_rows() { return has_batch() ? local("matrix_rows") : "rows"; }
    std::string local(const std::string& wish);
    void write_rows();
    void write_rows_axis(const std::string& program);
    void write_whole_rows();
    void write_long_rows();
    void write_pass(const Pass& pass);
    void write_columns_axis(const std::string& first);
    void write_value(int node);
    void write_load(int node);
    void write_store(std::size_t output);
    std::string reduced(int node, const std::string& values);
    std::string without_padding(int node) const;

    void write_head(SourceText& source) const;
    void find_parameters();
    void write_signature(SourceText& source) const;
    void write_wrapper(SourceText& source);
    void write_longest_head(SourceText& source) const;
    void write_outputs(SourceText& source) const;
    std::string results() const;
    std::string interpreter_choice() const;
    std::string passing_function() const;
    std::string blocks_of(const std::string& lines, const std::string& block, const Shape& heads) const;
    void write_launch(SourceText& source) const;
    void write_sizes(SourceText& source) const;
    void write_dispatch(SourceText& source) const;
    void write_tunables(SourceText& source) const;
    std::string condition(const std::string& when) const;
    bool is_ruled(const std::string& tunable) const;
    std::string option(const std::string& tunable) const;

    const Operator& definition_;
    const Body& body_;
    TritonForm form_;
    std::vector<Tunable> tunables_;
    std::vector<ConfigurationRule> rules_;
    std::vector<StatedRule> dispatch_;
    Schedule schedule_;
    PythonInterface interface_;
    PythonExpression expression_;
    PythonNeeds needs_of_operands_;  ///< what the prologues of a contraction use
    Names names_;
    std::vector<NamedSize> sizes_;               ///< of a convolution's view; with their names
    std::map<std::string, std::string> locals_;  ///< of a contraction's or attention's kernel: variables of its own
    SourceText source_;                          ///< the kernel's body
    std::vector<std::string> values_;            ///< for each node: its variable, or empty
    std::vector<std::string> input_pointers_, output_pointers_;
    std::string parts_, step_;  ///< of a contraction: variables of the function that launches
    std::string row_count_;
    std::set<std::string> used_;         ///< integers that the kernel's lines name
    bool uses_policy_ = false;           ///< whether the kernel's lines name POLICY
    std::vector<std::string> integers_;  ///< integer parameters of the kernel
    std::vector<Constant> constants_;    ///< parameters of the kernel that are known when it is compiled
    bool offsets_are_named_ = false;
};

TritonForm triton_form(const Operator& definition, const Body& lowered);

/// Whether a node loads a tensor over rows and columns, so that POLICY sets when its lines are evicted from the cache.
bool is_whole_load(const Node& node, TritonForm form);

}  // namespace kernelgen
