// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <string_view>

#include "core/base/result.h"
#include "core/tensor/dtype.h"

namespace kernelgen {

// The functions of oneDNN's C interface that are used.
// clang-format off
#define KERNELGEN_FOR_EACH_DNNL_FUNCTION(DO)                                                   \
    DO(version) DO(engine_create) DO(engine_destroy)                                           \
    DO(stream_create) DO(stream_destroy) DO(stream_wait)                                       \
    DO(memory_desc_create_with_strides) DO(memory_desc_destroy)                                \
    DO(memory_create) DO(memory_destroy) DO(memory_set_data_handle)                            \
    DO(binary_primitive_desc_create) DO(eltwise_forward_primitive_desc_create)                 \
    DO(softmax_forward_primitive_desc_create)                                                  \
    DO(layer_normalization_forward_primitive_desc_create_v2)                                   \
    DO(matmul_primitive_desc_create) DO(convolution_forward_primitive_desc_create)             \
    DO(primitive_desc_query_md) DO(memory_desc_equal) DO(reorder_primitive_desc_create)        \
    DO(memory_desc_create_with_tag) DO(memory_desc_clone)                                      \
    DO(post_ops_create) DO(post_ops_destroy) DO(post_ops_append_eltwise)                       \
    DO(primitive_attr_create) DO(primitive_attr_destroy) DO(primitive_attr_set_post_ops)       \
    DO(primitive_desc_destroy) DO(primitive_create) DO(primitive_destroy) DO(primitive_execute)
// clang-format on

/// These functions, found at run time.
struct OnednnLibrary {
#define KERNELGEN_MEMBER(function) decltype(&dnnl_##function) function = nullptr;
    KERNELGEN_FOR_EACH_DNNL_FUNCTION(KERNELGEN_MEMBER)
#undef KERNELGEN_MEMBER
    /// libgomp's entry of a parallel region, to wake oneDNN's threads; null with another OpenMP.
    void (*parallel)(void (*)(void*), void*, unsigned, unsigned) = nullptr;
};

/// oneDNN, opened once. Errors: it is not installed, or of another version.
const Result<OnednnLibrary>& onednn_library();

Result<dnnl_data_type_t> onednn_data_type(DType dtype);
std::string_view onednn_status_text(dnnl_status_t status);

/// The functions of elements.
struct OnednnEltwise {
    std::string_view name;
    dnnl_alg_kind_t algorithm;
    float alpha = 0;
};

inline constexpr OnednnEltwise onednn_eltwise[] = {
    {"eltwise_relu", dnnl_eltwise_relu},         {"eltwise_gelu_tanh", dnnl_eltwise_gelu_tanh},
    {"eltwise_gelu_erf", dnnl_eltwise_gelu_erf}, {"eltwise_swish", dnnl_eltwise_swish, 1},
    {"eltwise_exp", dnnl_eltwise_exp},           {"eltwise_tanh", dnnl_eltwise_tanh},
    {"eltwise_logistic", dnnl_eltwise_logistic}, {"eltwise_abs", dnnl_eltwise_abs},
    {"eltwise_sqrt", dnnl_eltwise_sqrt},         {"eltwise_log", dnnl_eltwise_log},
};

template <class Entry, std::size_t size>
const Entry* find_onednn_primitive(const Entry (&table)[size], std::string_view name) {
    const auto found = std::ranges::find(table, name, &Entry::name);
    return found == std::end(table) ? nullptr : found;
}

/// Attributes with a function of `onednn_eltwise` after the primitive, where `activation` is not empty. The caller
/// destroys them.
dnnl_status_t onednn_attributes(const OnednnLibrary& library, std::string_view activation,
                                dnnl_primitive_attr_t& attributes);

/// An engine with a stream.
class OnednnStream {
public:
    explicit OnednnStream(const OnednnLibrary& library) : library_(library) {}
    ~OnednnStream();
    OnednnStream(const OnednnStream&) = delete;
    OnednnStream& operator=(const OnednnStream&) = delete;

    dnnl_status_t start();
    dnnl_engine_t engine() const { return engine_; }
    dnnl_stream_t stream() const { return stream_; }
    void wake() const;   ///< the library's threads spin for the work that follows at once
    static void rest();  ///< waits until they sleep

private:
    const OnednnLibrary& library_;
    dnnl_engine_t engine_ = nullptr;
    dnnl_stream_t stream_ = nullptr;
};

}  // namespace kernelgen
