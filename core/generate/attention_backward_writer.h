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

/// Writes the C++ source of the two kernels for a body with `attention_backward`: one of rows gives the gradient of the
/// queries, one of columns those of keys and values. So no two programs add to one element.
class AttentionBackwardWriter : AttentionWriter {
public:
    using AttentionWriter::Style;
    AttentionBackwardWriter(const Operator& definition, const Body& lowered, Style style);
    std::string write();
    /// Of CUDA: the kernel of columns adds to the gradient of the queries, too, by atomic additions to a workspace; one
    /// kernel before it clears that, one after it stores the result.
    std::string write_with_atomics();

private:
    bool is_on_gpu() const { return style_ == Style::cuda; }
    std::string_view explanation_of_keys() const;
    void open_kernel_of(const std::string& entry);
    void write_top(std::string_view explanation);
    void write_element_kernel(const std::string& entry, bool is_clearing);
    std::string typed_sums() const;
    void write_kv_head(const std::string& head);
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

    std::string query_sums_;                         ///< the workspace of atomic additions; empty: there is none
    std::string all_sums_, step_;                    ///< names beside it
    std::string weight_, gradient_, value_product_;  ///< names of the naive kernels
    std::string queries_, gradients_, results_, lse_, keys_, values_, slope_, rows_, delta_;  ///< names in the source
};

}  // namespace kernelgen
