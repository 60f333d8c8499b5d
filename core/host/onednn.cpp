// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <optional>
#include <span>
#include <utility>

#include "core/base/sentences.h"
#include "core/generate/library_product.h"
#include "core/host/loaded_kernel.h"
#include "core/host/onednn_convolution.h"

namespace kernelgen {
namespace {

struct Binary {
    std::string_view name;
    dnnl_alg_kind_t algorithm;
};

constexpr Binary binary_primitives[] = {
    {"binary_add", dnnl_binary_add}, {"binary_sub", dnnl_binary_sub}, {"binary_mul", dnnl_binary_mul},
    {"binary_div", dnnl_binary_div}, {"binary_max", dnnl_binary_max}, {"binary_min", dnnl_binary_min},
};

bool is_known_product(std::string_view name) {
    const auto product = parse_library_product(name);
    return product &&
           (product->activation.empty() || find_onednn_primitive(onednn_eltwise, product->activation) != nullptr);
}

/// A primitive with the memories that it reads and writes; everything is freed with it.
class OnednnPrimitive final : public LoadedKernel {
public:
    OnednnPrimitive(const OnednnLibrary& library, std::string primitive)
        : library_(library), name_(std::move(primitive)) {}
    ~OnednnPrimitive() override { release(); }

    Outcome bind(const Call& call) override;

    void arm() override { work_.wake(); }
    void disarm() override { OnednnStream::rest(); }

    Outcome call(const CallBuffers& buffers) override {
        std::size_t i = 0;
        for (std::byte* input : buffers.inputs) {
            void* source = converted_[i].empty() ? static_cast<void*>(input) : convert(i, input);
            library_.memory_set_data_handle(arguments_[i++].memory, source);
        }
        for (std::byte* output : buffers.outputs) library_.memory_set_data_handle(arguments_[i++].memory, output);
        const bool done = library_.primitive_execute(primitive_, work_.stream(), static_cast<int>(arguments_.size()),
                                                     arguments_.data()) == dnnl_success &&
                          library_.stream_wait(work_.stream()) == dnnl_success;
        return done ? Outcome{} : Outcome{Status::launch_failed, "the library refused the call"};
    }

private:
    void release();
    void* convert(std::size_t input, const std::byte* source) {
        decode(input_dtypes_[input], source, std::span(converted_[input]));
        return converted_[input].data();
    }
    Result<dnnl_memory_desc_t> describe(const BoundTensor& tensor, std::size_t rank, bool is_transposed);
    dnnl_status_t make_product(const Call& call, dnnl_primitive_desc_t& descriptor);
    std::vector<int> argument_numbers() const;
    dnnl_status_t make_descriptor(const Call& call, dnnl_primitive_desc_t& descriptor);
    dnnl_status_t add_argument(int argument, dnnl_memory_desc_t memory);

    const OnednnLibrary& library_;
    std::string name_;
    std::optional<LibraryProduct> product_ = parse_library_product(name_);
    OnednnStream work_{library_};
    dnnl_primitive_t primitive_ = nullptr;
    std::vector<dnnl_memory_desc_t> descriptions_;  ///< inputs, then outputs
    std::vector<dnnl_exec_arg_t> arguments_;        ///< the same
    std::vector<DType> input_dtypes_;
    std::vector<std::vector<float>>
        converted_;  ///< of each input: f32 copies where the primitive takes those, or empty
};

void OnednnPrimitive::release() {
    for (dnnl_exec_arg_t& argument : arguments_) library_.memory_destroy(argument.memory);
    for (dnnl_memory_desc_t memory : descriptions_) library_.memory_desc_destroy(memory);
    if (primitive_ != nullptr) library_.primitive_destroy(primitive_);
    arguments_.clear();
    descriptions_.clear();
    input_dtypes_.clear();
    converted_.clear();
    primitive_ = nullptr;
}

/// Describes a tensor to oneDNN: row-major, with axes of size 1 in front until it has `rank`. Where it `is_transposed`,
/// the last two axes are told in exchanged order.
Result<dnnl_memory_desc_t> OnednnPrimitive::describe(const BoundTensor& tensor, std::size_t rank, bool is_transposed) {
    dnnl_dims_t sizes, strides;
    rank = std::max<std::size_t>(rank, 1);
    if (rank > DNNL_MAX_NDIMS) return fail("oneDNN takes at most 12 dimensions");
    const std::size_t missing = rank - tensor.extents.size();
    dnnl_dim_t stride = 1;
    for (std::size_t i = rank; i-- > 0;) {
        sizes[i] = i < missing ? 1 : tensor.extents[i - missing];
        strides[i] = stride;
        stride *= sizes[i];
    }
    if (is_transposed) {
        std::swap(sizes[rank - 1], sizes[rank - 2]);
        std::swap(strides[rank - 1], strides[rank - 2]);
    }
    const Result<dnnl_data_type_t> type = onednn_data_type(tensor.dtype);
    if (!type) return std::unexpected(type.error());
    dnnl_memory_desc_t description = nullptr;
    const auto status =
        library_.memory_desc_create_with_strides(&description, static_cast<int>(rank), sizes, *type, strides);
    if (status != dnnl_success) return fail(say("oneDNN refuses the shape of `{}`", tensor.name));
    return description;
}

/// A product of matrices with bias and activation fused into it.
dnnl_status_t OnednnPrimitive::make_product(const Call& call, dnnl_primitive_desc_t& descriptor) {
    if (call.inputs.size() != (product_->has_bias ? 3 : 2)) return dnnl_invalid_arguments;
    dnnl_primitive_attr_t attributes = nullptr;
    dnnl_status_t status = onednn_attributes(library_, product_->activation, attributes);
    if (status == dnnl_success)
        status = library_.matmul_primitive_desc_create(&descriptor, work_.engine(), descriptions_[0], descriptions_[1],
                                                       product_->has_bias ? descriptions_[2] : nullptr,
                                                       descriptions_.back(), attributes);
    if (attributes != nullptr) library_.primitive_attr_destroy(attributes);
    return status;
}

/// oneDNN's numbers of the inputs.
std::vector<int> OnednnPrimitive::argument_numbers() const {
    if (product_) return {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS};
    if (name_ == "layer_normalization") return {DNNL_ARG_SRC, DNNL_ARG_SCALE, DNNL_ARG_SHIFT};
    return {DNNL_ARG_SRC_0, DNNL_ARG_SRC_1, DNNL_ARG_SRC_2};
}

dnnl_status_t OnednnPrimitive::make_descriptor(const Call& call, dnnl_primitive_desc_t& descriptor) {
    if (product_) return make_product(call, descriptor);
    const auto inference = dnnl_forward_inference;
    const dnnl_memory_desc_t in = descriptions_[0], out = descriptions_.back();
    if (const Binary* binary = find_onednn_primitive(binary_primitives, name_)) {
        if (call.inputs.size() != 2) return dnnl_invalid_arguments;
        return library_.binary_primitive_desc_create(&descriptor, work_.engine(), binary->algorithm, in,
                                                     descriptions_[1], out, nullptr);
    }
    if (const OnednnEltwise* eltwise = find_onednn_primitive(onednn_eltwise, name_)) {
        if (call.inputs.size() != 1) return dnnl_invalid_arguments;
        return library_.eltwise_forward_primitive_desc_create(&descriptor, work_.engine(), inference,
                                                              eltwise->algorithm, in, out, eltwise->alpha, 0, nullptr);
    }
    const int last_axis = std::max(static_cast<int>(call.inputs[0].extents.size()), 1) - 1;
    if (name_ == "softmax" && call.inputs.size() == 1) {
        return library_.softmax_forward_primitive_desc_create(&descriptor, work_.engine(), inference,
                                                              dnnl_softmax_accurate, in, out, last_axis, nullptr);
    }
    if (name_ == "layer_normalization" && call.inputs.size() == 3 && !call.attributes.empty()) {
        const unsigned flags = dnnl_use_scale | dnnl_use_shift;
        return library_.layer_normalization_forward_primitive_desc_create_v2(
            &descriptor, work_.engine(), inference, in, out, nullptr,
            call.inputs[1].dtype == DType::f64 ? dnnl_f64 : dnnl_f32, static_cast<float>(call.attributes[0].value),
            flags, nullptr);
    }
    return dnnl_invalid_arguments;
}

dnnl_status_t OnednnPrimitive::add_argument(int argument, dnnl_memory_desc_t description) {
    dnnl_memory_t memory = nullptr;
    const auto status = library_.memory_create(&memory, description, work_.engine(), DNNL_MEMORY_NONE);
    if (status == dnnl_success) arguments_.push_back({argument, memory});
    return status;
}

Outcome OnednnPrimitive::bind(const Call& call) {
    release();
    const auto refused = [&](const Said& reason) {
        return Outcome{Status::unavailable, say(sentences::primitive_refused, name_, reason)};
    };
    if (const auto status = work_.start(); status != dnnl_success) return refused(onednn_status_text(status));
    if (call.inputs.empty() || call.outputs.size() != 1) return refused("takes one output");
    // Scale and shift in a narrow dtype have no fast path in oneDNN 3.7; in f32 they do, and converting the two vectors
    // within the call costs far less. A baseline should be as fast as its library can be.
    const bool normalises = name_ == "layer_normalization";
    for (const auto* tensors : {&call.inputs, &call.outputs}) {
        for (const BoundTensor& tensor : *tensors) {
            const bool vector = normalises && tensors == &call.inputs && &tensor != call.inputs.data();
            BoundTensor taken = tensor;
            if (vector && tensor.dtype != DType::f64) taken.dtype = DType::f32;
            if (tensors == &call.inputs) {
                input_dtypes_.push_back(tensor.dtype);
                converted_.emplace_back(taken.dtype == tensor.dtype ? 0 : tensor.bytes / size_of(tensor.dtype));
            }
            const std::ptrdiff_t number = &tensor - call.inputs.data();
            const bool is_transposed =
                product_ && tensors == &call.inputs &&
                ((number == 0 && product_->is_left_transposed) || (number == 1 && product_->is_right_transposed));
            const auto description = describe(taken, vector ? 1 : call.outputs[0].extents.size(), is_transposed);
            if (!description) return refused(description.error().message);
            descriptions_.push_back(*description);
        }
    }
    dnnl_primitive_desc_t descriptor = nullptr;
    if (const auto status = make_descriptor(call, descriptor); status != dnnl_success)
        return refused(onednn_status_text(status));
    const auto created = library_.primitive_create(&primitive_, descriptor);
    library_.primitive_desc_destroy(descriptor);
    if (created != dnnl_success) return refused(onednn_status_text(created));
    const std::vector<int> numbers = argument_numbers();
    for (std::size_t i = 0; i < descriptions_.size(); ++i) {
        const int input = numbers[std::min<std::size_t>(i, 2)];
        const auto status = add_argument(i + 1 == descriptions_.size() ? DNNL_ARG_DST : input, descriptions_[i]);
        if (status != dnnl_success) return refused(onednn_status_text(status));
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_onednn_primitive(const std::string& primitive) {
    const Result<OnednnLibrary>& opened = onednn_library();
    if (!opened) return std::unexpected(opened.error());
    const bool known = find_onednn_primitive(binary_primitives, primitive) != nullptr ||
                       find_onednn_primitive(onednn_eltwise, primitive) != nullptr || primitive == "softmax" ||
                       primitive == "layer_normalization" || is_known_product(primitive);
    if (!known) return fail(say(sentences::unknown_primitive, primitive));
    const auto product = parse_library_product(primitive);
    if (product && product->window) return make_onednn_convolution(*opened, *product);
    return std::make_unique<OnednnPrimitive>(*opened, primitive);
}

Result<std::string> onednn_version() {
    const Result<OnednnLibrary>& opened = onednn_library();
    if (!opened) return std::unexpected(opened.error());
    const dnnl_version_t* version = opened->version();
    return std::format("{}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace kernelgen
