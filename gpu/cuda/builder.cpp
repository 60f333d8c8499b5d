// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/builder.h"

#include <algorithm>
#include <format>

#include "core/backend/build_cache.h"
#include "gpu/cuda/compile.h"
#include "gpu/cuda/disassemble.h"
#include "gpu/cuda/resource_usage.h"

namespace kernelgen {
namespace {

BuildResult refused(Said reason) {
    BuildResult result;
    end_build(result, Status::unavailable, std::move(reason));
    return result;
}

Said unknown_architecture(const NvrtcLibrary& nvrtc, const DeviceModel& target) {
    std::string known;
    for (const int each : nvrtc.architectures) known += std::format("{}sm_{}", known.empty() ? "" : ", ", each);
    return say("NVRTC {} does not compile for {}, which {} needs; it knows {}: install another CUDA toolkit",
               nvrtc.version, target.architecture, target.name, known);
}

/// Adds a text that was asked for, or a note that says why there is none.
void add_text(BuildResult& result, const std::string& name, const Result<std::string>& text) {
    if (text) result.texts[name] = *text;
    else result.messages.push_back({"", 0, 0, "note", text.error().message});
}

void add_texts(const BuildRequest& request, BuildResult& result) {
    for (const std::string& name : request.texts) {
        if (name == "ptx") add_text(result, name, ptx_of(result));
        else if (name == "sass") add_text(result, name, disassemble(result.artifact.path));
        else add_text(result, name, fail("no text `" + name + "` of a `cuda` build; there are: ptx, sass"));
    }
}

}  // namespace

const Result<NvrtcLibrary>& CudaBuilder::compiler() {
    std::call_once(searched_, [this] { compiler_.emplace(find_nvrtc()); });
    return *compiler_;
}

BuildResult CudaBuilder::build(const BuildRequest& request, const DeviceModel& target, const Progress& progress,
                               std::stop_token stop) {
    const Result<NvrtcLibrary>& nvrtc = compiler();
    if (!nvrtc) return refused(nvrtc.error().message);
    if (std::ranges::find(nvrtc->architectures, architecture_number(target)) == nvrtc->architectures.end()) {
        return refused(unknown_architecture(*nvrtc, target));
    }
    BuildResult result = compile_cuda(program_, *nvrtc, target.architecture, request, progress, stop);
    if (result.status != Status::ok) return result;
    add_texts(request, result);
    add_resources(target, request, ptx_of(result).value_or(""), result);
    return result;
}

}  // namespace kernelgen
