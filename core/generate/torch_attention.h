// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/generate/python_interface.h"
#include "core/generate/source_text.h"
#include "core/lang/attention.h"

namespace kernelgen {

/// Attention in NAME_baseline.py. PyTorch's fused attention computes it where that has all that is wanted, on a GPU in
/// 16 bits with cuDNN's kernels first; called through torch.compile, FlexAttention does, which skips what a window
/// hides. Gradients are those of cuDNN's kernel where it has all that is wanted. Otherwise the scores become a tensor.
class TorchAttention {
public:
    /// All must outlive this.
    TorchAttention(const Operator& definition, const Body& body, const PythonInterface& interface, Names& names,
                   SourceText& source);

    /// Writes the imports and what stands between them and the function.
    void write_head();
    /// Writes the function's statements after the checks of its arguments.
    void write();

    /// Whether code compiled by torch.compile skips scores which PyTorch's own attention computes.
    static bool is_faster_compiled(const Attention& attention);
    /// Whether cuDNN's backward kernel computes all that is wanted. It adds to the queries' gradient in no fixed order.
    static bool has_library_gradients(const Operator& definition, const Body& body);

private:
    bool has_lse() const;
    int result_of(int output) const;
    bool is_in_one_dtype() const;
    bool is_fused() const;
    bool is_flex() const;
    bool has_library_gradients() const { return has_library_gradients(definition_, body_); }
    static bool is_causal_only(const Attention& attention);
    const std::string& input(int number) const { return interface_.inputs[static_cast<std::size_t>(number)]; }
    /// A variable of the function's own.
    std::string local(const std::string& wish);
    std::string score_tensor(int number) const;
    std::string scale_argument() const;
    std::string call(const std::string& options) const;

    void write_block_mask();
    void write_device();
    void write_flex();
    void write_gathered();
    void write_shared_heads();
    void write_wide_operands();
    std::string scale_of_rows(const OperandScale& scale, const std::string& rows);
    void write_causal();
    void write_fused(const std::string& seen);
    std::string write_seen();
    void write_dropout(const std::string& weights);
    void write_logits(const std::string& seen);
    void write_scores(const std::string& seen);
    void write_gradients(const std::string& seen);
    void write_library_gradients();
    std::string sum_of_group() const;
    std::string places(const std::string& row, const std::string& column) const;

    const Operator& definition_;
    const Body& body_;
    const Attention& attention_;
    const PythonInterface& interface_;
    Names& names_;
    SourceText& source_;
    std::map<std::string, std::string> locals_;  ///< names of `local`
};

}  // namespace kernelgen
