// SPDX-License-Identifier: Apache-2.0
#include "core/host/onednn_library.h"

#include <chrono>
#include <string>
#include <thread>

#include "core/base/sentences.h"
#include "core/base/shared_library.h"

namespace kernelgen {

namespace {

Result<OnednnLibrary> open_library() {
    static const std::string names[] = {"libdnnl.so.3", "libdnnl.so"};
    const Result<SharedLibrary> shared = SharedLibrary::open(names);
    if (!shared) return fail("oneDNN is not installed (libdnnl.so.3; on Debian and Ubuntu: apt install libdnnl3)");
    OnednnLibrary library;
    bool complete = true;
#define KERNELGEN_FIND(function) complete = shared->find("dnnl_" #function, library.function) && complete;
    KERNELGEN_FOR_EACH_DNNL_FUNCTION(KERNELGEN_FIND)
#undef KERNELGEN_FIND
    if (!complete || library.version()->major != 3) {
        return fail("the oneDNN library found is not of version 3.4 or a later 3");
    }
    shared->find("GOMP_parallel", library.parallel);
    return library;
}

}  // namespace

const Result<OnednnLibrary>& onednn_library() {
    static const Result<OnednnLibrary> opened = open_library();
    return opened;
}

Result<dnnl_data_type_t> onednn_data_type(DType dtype) {
    switch (dtype) {
        case DType::f64: return dnnl_f64;
        case DType::f32: return dnnl_f32;
        case DType::f16: return dnnl_f16;
        case DType::bf16: return dnnl_bf16;
        case DType::i32: return dnnl_s32;
        case DType::i8: return dnnl_s8;
        default: return fail(say(sentences::dtype_refused, to_string(dtype)));
    }
}

std::string_view onednn_status_text(dnnl_status_t status) {
    switch (status) {
        case dnnl_success: return "success";
        case dnnl_out_of_memory: return "out of memory";
        case dnnl_invalid_arguments: return "invalid arguments";
        case dnnl_unimplemented: return sentences::not_implemented;
        default: return "runtime error";
    }
}

dnnl_status_t onednn_attributes(const OnednnLibrary& library, std::string_view activation,
                                dnnl_primitive_attr_t& attributes) {
    dnnl_post_ops_t after = nullptr;
    dnnl_status_t status = library.primitive_attr_create(&attributes);
    if (status == dnnl_success) status = library.post_ops_create(&after);
    if (const OnednnEltwise* eltwise = find_onednn_primitive(onednn_eltwise, activation);
        status == dnnl_success && eltwise != nullptr)
        status = library.post_ops_append_eltwise(after, eltwise->algorithm, eltwise->alpha, 0);
    if (status == dnnl_success) status = library.primitive_attr_set_post_ops(attributes, after);
    if (after != nullptr) library.post_ops_destroy(after);
    return status;
}

OnednnStream::~OnednnStream() {
    if (stream_ != nullptr) library_.stream_destroy(stream_);
    if (engine_ != nullptr) library_.engine_destroy(engine_);
}

dnnl_status_t OnednnStream::start() {
    if (stream_ != nullptr) return dnnl_success;
    if (const auto status = library_.engine_create(&engine_, dnnl_cpu, 0); status != dnnl_success) return status;
    return library_.stream_create(&stream_, engine_, dnnl_stream_default_flags);
}

void OnednnStream::wake() const {
    // An empty region: the library's threads wake, and spin for the region that follows at once.
    if (library_.parallel != nullptr) library_.parallel([](void*) {}, nullptr, 0, 0);
}

void OnednnStream::rest() {
    constexpr std::chrono::microseconds spinning(500);  // about as long as GOMP_SPINCOUNT makes threads spin
    std::this_thread::sleep_for(spinning);
}

}  // namespace kernelgen
