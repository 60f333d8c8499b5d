// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <vector>

#include "core/host/loaded_kernel.h"
#include "core/python/called_back.h"

namespace kernelgen {
namespace {

std::vector<std::uint64_t> addresses_of(const CallBuffers& buffers) {
    std::vector<std::uint64_t> addresses;
    for (const auto* each : {&buffers.inputs, &buffers.outputs, &buffers.workspace}) {
        for (const std::byte* data : *each) addresses.push_back(reinterpret_cast<std::uint64_t>(data));
    }
    return addresses;
}

/// A Python variant. PyTorch has threads of its own, as many as the executor's.
class PythonLoadedKernel final : public LoadedKernel {
public:
    PythonLoadedKernel(Language language, std::unique_ptr<CalledBack> file)
        : language_(language), file_(std::move(file)) {}

    Outcome bind(const Call& call) override {
        outputs_ = call.outputs.size();
        return file_->bind(call);
    }
    void let_go() override {
        file_->call({}, CalledBack::Mode::forget);
        places_.clear();
    }
    void arm() override {}
    void disarm() override {}

    Outcome call(const CallBuffers& buffers) override {
        places_.resize(places_.size() + outputs_);
        return file_->call(addresses_of(buffers), CalledBack::Mode::timed, std::span(places_).last(outputs_));
    }
    Outcome call_judged(const CallBuffers& buffers) override {
        return file_->call(addresses_of(buffers), CalledBack::Mode::judged);
    }
    std::span<const std::uint64_t> places(int call) const override {
        return std::span(places_).subspan(static_cast<std::size_t>(call) * outputs_, outputs_);
    }

    Outcome prepare_timing(const CallBuffers& buffers) override {
        if (language_ != Language::triton) {
            let_go();  // what another side has set before
            return call(buffers);
        }
        return {Status::unavailable,
                "Triton runs on a CPU through its interpreter, whose times say nothing of the kernel: time it on a GPU "
                "(--device cuda:0), or verify it here (kernelgen verify)"};
    }

    std::size_t alignment() const override { return 8; }  // of the largest element: tensors need no more
    std::size_t own_memory(std::size_t tensors) const override { return 4 * tensors; }

private:
    Language language_;
    std::unique_ptr<CalledBack> file_;
    std::size_t outputs_ = 0;
    std::vector<std::uint64_t> places_;  ///< of the outputs of all calls since `let_go`
};

}  // namespace

Outcome load_python_kernel(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                           std::optional<TrialReport>& trial, std::unique_ptr<LoadedKernel>& loaded) {
    std::unique_ptr<CalledBack> file;
    const Outcome outcome = CalledBack::load(callbacks, artifact, call, trial, file);
    if (outcome.ok()) loaded = std::make_unique<PythonLoadedKernel>(artifact.language, std::move(file));
    return outcome;
}

}  // namespace kernelgen
