// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/generate/contraction_writer.h"
#include "core/generate/convolution_view.h"

namespace kernelgen {

/// Writes the C++ source of a convolution directly: each element of the result adds up its window. On the host a vector
/// of elements at a time, except in style `naive`; in CUDA a thread computes one element, or with `has_strips` STRIP of
/// them.
class DirectConvolutionWriter : public ContractionWriter {
public:
    DirectConvolutionWriter(const Operator& definition, const Body& lowered, Style style, bool has_strips = false);

private:
    std::string explanation() const override;
    int grid_axes() const override { return 1; }
    void write_work() override;
    void write_rows();
    void write_strips();
    void write_window();
    void write_tensor(const ContractionOperand& operand, const std::string& name, bool gives_vectors);
    bool has_vectors() const { return style_ == Style::host; }

    bool has_strips_;
    std::string window_, image_, kernels_;  ///< names in the source
};

/// Writes the C++ source of a convolution as a product of matrices, in style `host` or `cuda`.
class ConvolutionWriter : public ContractionWriter {
public:
    ConvolutionWriter(const ConvolutionView& view, Style style);

private:
    std::string explanation() const override;
    void write_work() override;
    void write_operand(const ContractionOperand& operand, bool is_left) override;

    const ConvolutionView& view_;
    std::string window_, image_;  ///< names in the source
};

}  // namespace kernelgen
