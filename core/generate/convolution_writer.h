// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/generate/contraction_writer.h"
#include "core/generate/convolution_view.h"

namespace kernelgen {

/// Whether threads can go down the images of a body together: a depthwise convolution without strides or dilation, of
/// images without a prologue, with kernels of a known size of at most 7 by 7.
bool has_sliding_windows(const Operator& definition, const Body& lowered);

/// Writes the C++ source of a convolution directly: each element of the result adds up its window. On the host a vector
/// of elements at a time, except in style `naive`; in CUDA as `Threads` says.
class DirectConvolutionWriter : public ContractionWriter {
public:
    /// What a thread of a CUDA kernel computes.
    enum class Threads {
        elements,  ///< one element
        strips,    ///< STRIP of them
        slides,    ///< a vector of VEC bytes in STRIP rows (`has_sliding_windows`)
    };
    DirectConvolutionWriter(const Operator& definition, const Body& lowered, Style style,
                            Threads threads = Threads::elements);

private:
    std::string explanation() const override;
    int grid_axes() const override { return 1; }
    void write_work() override;
    void write_rows();
    void write_strips();
    void write_slides();
    std::string attributes_of_kernel() const override;
    void write_window();
    void write_tensor(const ContractionOperand& operand, const std::string& name, bool gives_vectors);
    bool has_vectors() const { return style_ == Style::host; }

    Threads threads_;
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
    std::string boxes_of(const ContractionOperand& operand, bool is_left) const override;
    std::string lines_of_tiles() const override;

    const ConvolutionView& view_;
    std::string window_, image_, lines_;  ///< names in the source
};

}  // namespace kernelgen
