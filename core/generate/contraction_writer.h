// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/generate/byte_products.h"
#include "core/generate/kernel_text.h"
#include "core/lang/contraction.h"
#include "core/project/tensor_map.h"

namespace kernelgen {

/// Whether an operand is a tensor of the case's dtype, without a prologue.
bool is_read_as_stored(const Operator& definition, const ContractionOperand& operand);

/// Whether operands of 16 bits are multiplied by tensor cores: operands of the case's dtype without a prologue, which
/// would have to be rounded to it.
bool uses_tensor_cores(const Operator& definition, const Body& lowered);

/// The tensor maps of the left and of the right operand of a kernel with tensor cores; none where the copy engine
/// cannot read both.
std::vector<TensorMap> maps_of_operands(const Operator& definition, const Body& lowered);

/// Writes the C++ source of a kernel for a lowered body with a contraction.
class ContractionWriter : protected KernelText {
public:
    enum class Style {
        naive,       ///< scalar loops; one row of the result for each program
        host,        ///< tiles, packed operands, sums in registers
        cuda_naive,  ///< one thread for each element of the result
        cuda,        ///< tiles, operands in shared memory, sums in registers
    };
    ContractionWriter(const Operator& definition, const Body& lowered, Style style);
    virtual ~ContractionWriter() = default;
    std::string write();

protected:
    const Contraction& contraction() const { return *body_.contraction; }
    bool has_batch() const { return contraction().shape.size() > 2; }
    bool host() const { return style_ == Style::host; }
    bool is_cuda() const { return style_ == Style::cuda_naive || style_ == Style::cuda; }
    bool has_tiles() const { return style_ == Style::host || style_ == Style::cuda; }
    virtual std::string explanation() const;
    virtual std::string attributes_of_kernel() const { return ""; }               ///< of a CUDA kernel without tiles
    virtual int grid_axes() const { return host() ? (has_batch() ? 3 : 2) : 1; }  ///< of a host kernel
    virtual void write_work();
    void open();
    void open_cuda_tiles();
    std::string matrix_of(const ContractionOperand& operand) const;
    std::string place_of(const Body& body, const Node& node, const std::string& row) const;
    std::string loaded(const Body& body, const Node& node, const std::string& row, const std::string& column,
                       bool is_vector) const;
    virtual std::string boxes_of(const ContractionOperand& operand, bool is_left) const;
    virtual std::string lines_of_tiles() const { return dimension(contraction().rows()); }  ///< of CUDA tiles, together
    std::string matrix_in_memory(const ContractionOperand& operand, bool is_left) const;
    void write_operands();
    std::string write_operands_of_row();
    virtual void write_operand(const ContractionOperand& operand, bool is_left);
    void write_element(const ContractionOperand& operand, const std::string& row, const std::string& column,
                       bool is_vector);
    void write_prologue(const Body& body, const std::string& row, const std::string& column, bool is_vector);
    std::string elements_of_operands() const;
    void write_call(const std::string& call);
    void write_naive();
    void write_cuda_naive();
    void write_tile();
    void write_cuda_tile();
    void write_epilogue();
    void write_epilogue_values();
    void write_input(int node);
    std::string outputs_of_matrix() const;
    void write_elements();

    bool is_for_tensor_cores() const {
        return uses_tensor_cores(definition_, body_) || uses_tensor_cores_for_bytes(definition_, body_);
    }

    Style style_;
    std::vector<std::string> maps_;  ///< names of the tensor maps, of the left and the right operand
    std::string batch_, depth_, product_, left_, right_;  ///< names in the source
};

}  // namespace kernelgen
