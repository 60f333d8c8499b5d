// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <optional>

#include "core/base/shared_library.h"
#include "gpu/cuda/device_kernel.h"
#include "gpu/cuda/library_places.h"

namespace kernelgen::cuda {
namespace {

// The part of cuDNN's interface that is used here, as its documentation declares it.
using CudnnCode = int;
using Handle = struct CudnnHandleTag*;
using Descriptor = struct CudnnTensorTag*;
constexpr CudnnCode cudnn_success = 0;
constexpr int row_major = 0, accurate_softmax = 1, over_channels = 1;
constexpr int data_float = 0, data_double = 1, data_half = 2, data_bfloat16 = 9;

struct CudnnLibrary {
    std::size_t (*version)();
    const char* (*error_string)(CudnnCode);
    CudnnCode (*create)(Handle*);
    CudnnCode (*set_stream)(Handle, Stream);
    CudnnCode (*create_descriptor)(Descriptor*);
    CudnnCode (*destroy_descriptor)(Descriptor);
    CudnnCode (*set_descriptor)(Descriptor, int, int, int, int, int, int);
    CudnnCode (*softmax)(Handle, int, int, const void*, Descriptor, const void*, const void*, Descriptor, void*);
};

Result<CudnnLibrary> open_library() {
    const std::vector<std::string> names = library_places("KERNELGEN_CUDNN", {"libcudnn.so.9"}, "cudnn");
    const Result<SharedLibrary> shared = SharedLibrary::open(names);
    if (!shared) {
        return fail(
            "cuDNN is not installed (libcudnn.so.9 was not found; name it in KERNELGEN_CUDNN, or `python3 -m pip "
            "install nvidia-cudnn-cu13`)");
    }
    CudnnLibrary library{};
    const bool complete =
        shared->find("cudnnGetVersion", library.version) && shared->find("cudnnGetErrorString", library.error_string) &&
        shared->find("cudnnCreate", library.create) && shared->find("cudnnSetStream", library.set_stream) &&
        shared->find("cudnnCreateTensorDescriptor", library.create_descriptor) &&
        shared->find("cudnnDestroyTensorDescriptor", library.destroy_descriptor) &&
        shared->find("cudnnSetTensor4dDescriptor", library.set_descriptor) &&
        shared->find("cudnnSoftmaxForward", library.softmax);
    if (!complete) return fail("the cuDNN library found lacks functions of cuDNN 9");
    return library;
}

const Result<CudnnLibrary>& cudnn_library() {
    static const Result<CudnnLibrary> opened = open_library();
    return opened;
}

std::optional<int> data_type(DType dtype) {
    switch (dtype) {
        case DType::f32: return data_float;
        case DType::f64: return data_double;
        case DType::f16: return data_half;
        case DType::bf16: return data_bfloat16;
        default: return std::nullopt;
    }
}

/// Softmax of every row: rows as the batch, columns as channels.
class CudnnSoftmax final : public DeviceKernel {
public:
    explicit CudnnSoftmax(const CudnnLibrary& functions) : library_(functions) {}
    CudnnSoftmax(const CudnnSoftmax&) = delete;
    ~CudnnSoftmax() override {
        if (descriptor_ != nullptr) library_.destroy_descriptor(descriptor_);
    }

    Outcome bind(const Call& call) override;
    Outcome enqueue(const DeviceBuffers& buffers, Stream stream) override;

private:
    Outcome outcome(CudnnCode code) const {
        if (code == cudnn_success) return {};
        return {Status::unavailable, std::string("cuDNN's softmax: ") + library_.error_string(code)};
    }

    const CudnnLibrary& library_;
    Handle handle_ = nullptr;  // ends with the process
    Descriptor descriptor_ = nullptr;
    bool is_double_ = false;
};

Outcome CudnnSoftmax::bind(const Call& call) {
    const BoundTensor& x = call.inputs[0];
    const std::optional<int> type = data_type(x.dtype);
    if (!type) return {Status::unavailable, say("cuDNN's softmax does not take {}", to_string(x.dtype))};
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < x.extents.size(); ++axis) rows *= x.extents[axis];
    constexpr std::int64_t most = 0x7fffffff;
    if (rows > most || x.extents.back() > most || rows * x.extents.back() > most)
        return {Status::unavailable, "cuDNN's softmax does not take more than 2^31 elements"};
    is_double_ = x.dtype == DType::f64;
    if (handle_ == nullptr) {
        if (const Outcome made = outcome(library_.create(&handle_)); !made.ok()) return made;
        if (const Outcome made = outcome(library_.create_descriptor(&descriptor_)); !made.ok()) return made;
    }
    return outcome(library_.set_descriptor(descriptor_, row_major, *type, static_cast<int>(rows),
                                           static_cast<int>(x.extents.back()), 1, 1));
}

Outcome CudnnSoftmax::enqueue(const DeviceBuffers& buffers, Stream stream) {
    const float one_f32 = 1, zero_f32 = 0;
    const double one_f64 = 1, zero_f64 = 0;
    const void* one = is_double_ ? static_cast<const void*>(&one_f64) : &one_f32;
    const void* zero = is_double_ ? static_cast<const void*>(&zero_f64) : &zero_f32;
    if (const Outcome set = outcome(library_.set_stream(handle_, stream)); !set.ok()) return set;
    return outcome(library_.softmax(handle_, accurate_softmax, over_channels, one, descriptor_,
                                    reinterpret_cast<const void*>(buffers.inputs[0]), zero, descriptor_,
                                    reinterpret_cast<void*>(buffers.outputs[0])));
}

}  // namespace

Result<std::unique_ptr<DeviceKernel>> load_cudnn_primitive(const std::string& primitive) {
    if (!cudnn_library()) return std::unexpected(cudnn_library().error());
    if (primitive != "softmax") return fail(say("cuDNN has no primitive `{}` that this program knows", primitive));
    return std::make_unique<CudnnSoftmax>(*cudnn_library());
}

Result<std::string> cudnn_version() {
    if (!cudnn_library()) return std::unexpected(cudnn_library().error());
    const std::size_t version = cudnn_library()->version();
    return std::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace kernelgen::cuda
