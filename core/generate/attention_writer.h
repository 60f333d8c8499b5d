// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/generate/kernel_text.h"
#include "core/lang/attention.h"
#include "core/project/tensor_map.h"

namespace kernelgen {

/// Why tensor cores do not compute an attention of 16 bits; nothing where they do.
std::optional<std::string> why_attention_is_plain(const Operator& definition, const Attention& attention);

/// The kernel that brings values of 8 bits into the order of tensor cores, and what holds them.
std::string value_tiles_entry(const Operator& definition);
std::string value_tiles_name(const Operator& definition);

/// Whether later rows see more columns, so that tiles have different work.
bool sees_more_later(const Attention& attention);

/// The workspace of a kernel with tensor cores: what blocks that share a head of keys have of its rows.
std::string attention_parts_name(const Operator& definition);

/// The tensor maps of queries, keys and values of a kernel with tensor cores.
std::vector<TensorMap> maps_of_attention(const Operator& definition, const Attention& attention);

/// Writes the C++ source of a kernel for a body with attention.
class AttentionWriter : protected KernelText {
public:
    enum class Style {
        naive,  ///< scalar loops; one row for each program
        host,   ///< BLOCK_M rows of a head, BLOCK_N columns at a time, sums in registers
        cuda,   ///< the same in a block; both operands in shared memory
    };
    AttentionWriter(const Operator& definition, const Body& lowered, Style style);
    std::string write();

protected:
    const Attention& attention() const { return *body_.attention; }
    bool is_host() const { return style_ == Style::host; }
    std::string of(const std::string& dimension_name) const { return dimension(dimension_name); }
    std::string pointer(int input) const { return inputs_[static_cast<std::size_t>(input)].pointer; }
    std::string explanation() const;
    bool is_for_tensor_cores() const {
        return style_ == Style::cuda && !why_attention_is_plain(definition_, attention());
    }
    void open();
    void open_cuda_tiles();
    void write_heads(const std::string& head);
    void write_scale();
    void write_pages();
    std::string row_start(int input, bool is_keys, const std::string& row) const;
    std::string first_seen() const;
    std::string last_seen() const;
    std::string score(int input) const;
    std::string row_scale(const OperandScale& scale, bool is_keys, const std::string& row) const;
    std::string times_scale(const OperandScale& scale, bool is_keys, const std::string& row) const;
    bool has_bytes() const { return has_byte_operands(definition_, attention()); }
    void write_value_tiles();
    void write_tile_scale(const OperandScale& scale, const std::string& name, bool is_keys, bool of_tensor);
    void write_logit();
    void write_host();
    void write_naive();
    void write_cuda();
    void write_cuda_tiles();
    void write_kv_head();
    void write_columns();
    void write_seen();
    void write_functions();
    void write_functions_of_rows();
    void write_dropout();
    std::string output_row(const std::string& row) const;
    const TensorNames* output_of(int result) const;
    std::string stored(const TensorNames& output, const std::string& value) const;

    Style style_;
    std::vector<std::string> maps_;  ///< names of the tensor maps
    std::string value_tiles_;        ///< values of 8 bits
    std::string parts_, pages_;      ///< of the workspace, and of the blocks of a paged cache
    std::string head_, kv_head_, columns_, scale_, logit_, seen_, product_, dropout_;  ///< names in the source
};

}  // namespace kernelgen
