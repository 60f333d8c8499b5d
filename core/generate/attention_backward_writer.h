// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/generate/attention_writer.h"

namespace kernelgen {

/// The function that gives the gradient of the queries, and that of keys and values.
std::string queries_entry(const Operator& definition);
std::string keys_entry(const Operator& definition);
/// With atomic additions: the function that clears the sums of the queries' gradients.
std::string clear_entry(const Operator& definition);
/// And the name of the workspace that holds them.
std::string query_sums_name(const Operator& definition);

/// Why tensor cores do not compute the gradients of an attention of 16 bits; nothing where they do.
std::optional<std::string> why_gradients_are_plain(const Operator& definition, const Attention& attention);
/// The tensor maps of queries, keys, values and the result's gradient of a kernel with tensor cores.
std::vector<TensorMap> maps_of_gradients(const Operator& definition, const Attention& attention);

/// Writes the C++ source of the two kernels for a body with `attention_backward`: one of rows gives the gradient of the
/// queries, one of columns those of keys and values. So no two programs add to one element.
class AttentionBackwardWriter : AttentionWriter {
public:
    using AttentionWriter::Style;
    AttentionBackwardWriter(const Operator& definition, const Body& lowered, Style style);
    std::string write();
    /// Of CUDA: for tensor cores of sm_90a, where COPY_WARPS is above 0, as write_with_atomics, but blocks add in a
    /// fixed order. Otherwise as write(); the kernel before them does nothing.
    std::string write_in_order();
    /// Of CUDA: the kernel of columns adds to the gradient of the queries, too, by atomic additions to a workspace; one
    /// kernel before it clears that, one after it stores the result.
    std::string write_with_atomics();

private:
    bool is_on_gpu() const { return style_ == Style::cuda; }
    std::string_view explanation_of_keys() const;
    void open_kernel_of(const std::string& entry);
    void write_top(std::string_view explanation);
    void write_each_sum(bool is_clearing);
    void write_element_kernel(const std::string& entry, bool is_clearing);
    std::string typed_sums() const;
    void write_kv_head(const std::string& head);
    void write_kv_columns();
    template <class ForTensorCores, class Plain>
    void write_either(const ForTensorCores& for_tensor_cores, const Plain& plain);
    std::string row_tiles(const std::string& function) const;
    void write_begin_of_rows();
    void write_end_of_rows();
    void write_tensor_keys(bool in_turn);
    void open_group();
    void close_group();
    void write_slope();
    void write_operand(const std::string& name, int input, bool is_keys);
    void write_operands_of_rows();
    void write_operands_of_columns();
    void write_rows();
    std::string all_of_rows() const;
    void write_output(const std::string& name, int result, bool is_keys);
    void write_queries();
    void write_keys();
    void write_naive_queries();
    void write_naive_keys();
    void write_naive_row();
    void write_naive_weight();
    void write_each(const std::string& statement);
    void write_cuda_queries();
    void write_cuda_keys();
    std::string element(const std::string& row) const { return "kg::load_one<T>(" + row + " + d)"; }
    std::string line_of(bool is_keys, const std::string& row) const;

    bool has_tensor_tiles_;  ///< and the three kernels that they need
    bool adds_atomically_ = false;
    std::string query_sums_;                         ///< the workspace of sums; empty: there is none
    std::string gradient_map_;                       ///< the tensor map of the result's gradient
    std::string all_sums_, step_;                    ///< names beside it
    std::string weight_, gradient_, value_product_;  ///< names of the naive kernels
    std::string queries_, gradients_, results_, lse_, keys_, values_, slope_, rows_, delta_;  ///< names in the source
};

}  // namespace kernelgen
