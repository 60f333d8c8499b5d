// SPDX-License-Identifier: Apache-2.0
#include "core/host/onednn_convolution.h"

#include <array>
#include <utility>
#include <vector>

#include "core/base/sentences.h"

namespace kernelgen {

namespace {

constexpr int result_number = 3;  ///< after images, kernels and bias

/// Sizes and strides in the order in which oneDNN has axes: channels before height and width.
struct Axes {
    std::vector<dnnl_dim_t> sizes, strides;
};

Axes axes_of(const BoundTensor& tensor, bool is_channels_last) {
    Axes axes{std::vector<dnnl_dim_t>(tensor.extents.begin(), tensor.extents.end()), {}};
    axes.strides.assign(axes.sizes.size(), 1);
    for (std::size_t i = axes.sizes.size() - 1; i-- > 0;) axes.strides[i] = axes.strides[i + 1] * axes.sizes[i + 1];
    if (!is_channels_last) return axes;
    for (auto* each : {&axes.sizes, &axes.strides}) *each = {(*each)[0], (*each)[3], (*each)[1], (*each)[2]};
    return axes;
}

/// Kernels of groups have an axis of groups before them.
void split_groups(Axes& kernels, dnnl_dim_t groups) {
    if (groups == 1) return;
    kernels.sizes[0] /= groups;
    kernels.sizes.insert(kernels.sizes.begin(), groups);
    kernels.strides.insert(kernels.strides.begin(), kernels.strides[0] * kernels.sizes[1]);
}

class OnednnConvolution final : public LoadedKernel {
public:
    OnednnConvolution(const OnednnLibrary& library, LibraryProduct product)
        : library_(library), product_(std::move(product)) {}
    ~OnednnConvolution() override { release(); }

    Outcome bind(const Call& call) override {
        release();
        const auto refused = [&](const Said& reason) {
            return Outcome{Status::unavailable, say(sentences::primitive_refused, to_string(product_), reason)};
        };
        if (call.inputs.size() != (product_.has_bias ? 3u : 2u) || call.outputs.size() != 1)
            return refused("takes one output");
        const Result<dnnl_data_type_t> type = onednn_data_type(call.inputs[0].dtype);
        if (!type) return refused(type.error().message);
        dnnl_status_t status = work_.start();
        if (status == dnnl_success) status = describe(call, *type);
        if (status == dnnl_success) status = make_steps();
        return status == dnnl_success ? Outcome{} : refused(onednn_status_text(status));
    }

    void arm() override { work_.wake(); }
    void disarm() override { OnednnStream::rest(); }

    Outcome call(const CallBuffers& buffers) override {
        for (std::size_t i = 0; i < buffers.inputs.size(); ++i)
            library_.memory_set_data_handle(tensors_[i].memory, buffers.inputs[i]);
        library_.memory_set_data_handle(tensors_[result_number].memory, buffers.outputs[0]);
        bool done = true;
        for (const Step& each : steps_)
            done = done &&
                   library_.primitive_execute(each.primitive, work_.stream(), static_cast<int>(each.arguments.size()),
                                              each.arguments.data()) == dnnl_success;
        done = done && library_.stream_wait(work_.stream()) == dnnl_success;
        return done ? Outcome{} : Outcome{Status::launch_failed, "the library refused the call"};
    }

private:
    /// A tensor of the call, and where the primitive computes in another layout its copy there.
    struct TensorOfCall {
        dnnl_memory_desc_t own = nullptr, any = nullptr;
        dnnl_memory_t memory = nullptr, copy = nullptr;
    };
    struct Step {
        dnnl_primitive_t primitive = nullptr;
        std::vector<dnnl_exec_arg_t> arguments;
    };

    void release() {
        for (const Step& each : steps_) library_.primitive_destroy(each.primitive);
        for (TensorOfCall& each : tensors_) {
            for (dnnl_memory_t memory : {each.memory, each.copy})
                if (memory != nullptr) library_.memory_destroy(memory);
            for (dnnl_memory_desc_t description : {each.own, each.any})
                if (description != nullptr) library_.memory_desc_destroy(description);
            each = {};
        }
        steps_.clear();
    }

    dnnl_status_t describe_tensor(const Axes& axes, dnnl_data_type_t type, TensorOfCall& tensor) {
        const int rank = static_cast<int>(axes.sizes.size());
        dnnl_status_t status =
            library_.memory_desc_create_with_strides(&tensor.own, rank, axes.sizes.data(), type, axes.strides.data());
        if (status == dnnl_success)
            status =
                library_.memory_desc_create_with_tag(&tensor.any, rank, axes.sizes.data(), type, dnnl_format_tag_any);
        if (status == dnnl_success)
            status = library_.memory_create(&tensor.memory, tensor.own, work_.engine(), DNNL_MEMORY_NONE);
        return status;
    }

    dnnl_status_t describe(const Call& call, dnnl_data_type_t type) {
        const bool last = product_.window->is_channels_last;
        const Axes images = axes_of(call.inputs[0], last), result = axes_of(call.outputs[0], last);
        Axes kernels = axes_of(call.inputs[1], last);
        images_ = images.sizes, result_ = result.sizes, kernels_ = kernels.sizes;
        split_groups(kernels, images.sizes[1] / kernels.sizes[1]);
        dnnl_status_t status = describe_tensor(images, type, tensors_[0]);
        if (status == dnnl_success) status = describe_tensor(kernels, type, tensors_[1]);
        if (status == dnnl_success && product_.has_bias)
            status = describe_tensor({{result.sizes[1]}, {1}}, type, tensors_[2]);
        if (status == dnnl_success) status = describe_tensor(result, type, tensors_[result_number]);
        return status;
    }

    dnnl_status_t make_descriptor(dnnl_primitive_desc_t& descriptor) {
        const LibraryWindow& window = *product_.window;
        const dnnl_dims_t strides = {window.stride, window.stride};
        const dnnl_dims_t dilates = {window.dilation - 1, window.dilation - 1};
        const dnnl_dims_t before = {window.padding, window.padding};
        dnnl_dims_t after;
        for (std::size_t i = 0; i < 2; ++i)  // what the last window covers beyond the image
            after[i] = (result_[2 + i] - 1) * window.stride + (kernels_[2 + i] - 1) * window.dilation + 1 -
                       window.padding - images_[2 + i];
        dnnl_primitive_attr_t attributes = nullptr;
        dnnl_status_t status = onednn_attributes(library_, product_.activation, attributes);
        if (status == dnnl_success)
            status = library_.convolution_forward_primitive_desc_create(
                &descriptor, work_.engine(), dnnl_forward_inference, dnnl_convolution_auto, tensors_[0].any,
                tensors_[1].any, product_.has_bias ? tensors_[2].own : nullptr, tensors_[result_number].any, strides,
                dilates, before, after, attributes);
        if (attributes != nullptr) library_.primitive_attr_destroy(attributes);
        return status;
    }

    dnnl_status_t add_reorder(dnnl_memory_t from, const_dnnl_memory_desc_t from_layout, dnnl_memory_t to,
                              const_dnnl_memory_desc_t to_layout) {
        dnnl_primitive_desc_t descriptor = nullptr;
        dnnl_status_t status = library_.reorder_primitive_desc_create(&descriptor, from_layout, work_.engine(),
                                                                      to_layout, work_.engine(), nullptr);
        return status == dnnl_success ? add_step(descriptor, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}) : status;
    }

    dnnl_status_t add_step(dnnl_primitive_desc_t descriptor, std::vector<dnnl_exec_arg_t> arguments) {
        Step step{nullptr, std::move(arguments)};
        const dnnl_status_t status = library_.primitive_create(&step.primitive, descriptor);
        library_.primitive_desc_destroy(descriptor);
        if (status == dnnl_success) steps_.push_back(std::move(step));
        return status;
    }

    /// Where the layout of the primitive is not the tensor's own, makes memory for a copy in it.
    dnnl_status_t add_copy(TensorOfCall& tensor, const_dnnl_memory_desc_t layout) {
        if (library_.memory_desc_equal(layout, tensor.own)) return dnnl_success;
        return library_.memory_create(&tensor.copy, layout, work_.engine(), DNNL_MEMORY_ALLOCATE);
    }

    dnnl_status_t make_steps() {
        dnnl_primitive_desc_t descriptor = nullptr;
        dnnl_status_t status = make_descriptor(descriptor);
        if (status != dnnl_success) return status;
        const std::array queries = {dnnl_query_src_md, dnnl_query_weights_md};
        std::vector<dnnl_exec_arg_t> arguments;
        for (std::size_t i = 0; i < queries.size() && status == dnnl_success; ++i) {
            const const_dnnl_memory_desc_t layout = library_.primitive_desc_query_md(descriptor, queries[i], 0);
            TensorOfCall& tensor = tensors_[i];
            status = add_copy(tensor, layout);
            if (status == dnnl_success && tensor.copy != nullptr)
                status = add_reorder(tensor.memory, tensor.own, tensor.copy, layout);
            arguments.push_back(
                {i == 0 ? DNNL_ARG_SRC : DNNL_ARG_WEIGHTS, tensor.copy != nullptr ? tensor.copy : tensor.memory});
        }
        if (product_.has_bias) arguments.push_back({DNNL_ARG_BIAS, tensors_[2].memory});
        const const_dnnl_memory_desc_t layout = library_.primitive_desc_query_md(descriptor, dnnl_query_dst_md, 0);
        dnnl_memory_desc_t kept = nullptr;  // the layout, which ends with the descriptor
        TensorOfCall& result = tensors_[result_number];
        if (status == dnnl_success) status = add_copy(result, layout);
        arguments.push_back({DNNL_ARG_DST, result.copy != nullptr ? result.copy : result.memory});
        if (status == dnnl_success && result.copy != nullptr) status = library_.memory_desc_clone(&kept, layout);
        if (status == dnnl_success) status = add_step(descriptor, std::move(arguments));
        else library_.primitive_desc_destroy(descriptor);
        if (status == dnnl_success && kept != nullptr)
            status = add_reorder(result.copy, kept, result.memory, result.own);
        if (kept != nullptr) library_.memory_desc_destroy(kept);
        return status;
    }

    const OnednnLibrary& library_;
    LibraryProduct product_;
    OnednnStream work_{library_};
    std::array<TensorOfCall, result_number + 1> tensors_;
    std::vector<dnnl_dim_t> images_, kernels_, result_;  ///< sizes, without groups
    std::vector<Step> steps_;                            ///< copies, the convolution, the copy of the result
};

}  // namespace

std::unique_ptr<LoadedKernel> make_onednn_convolution(const OnednnLibrary& library, const LibraryProduct& product) {
    return std::make_unique<OnednnConvolution>(library, product);
}

}  // namespace kernelgen
