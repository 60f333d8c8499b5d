// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <vector>

#include "core/python/called_back.h"
#include "gpu/cuda/device_kernel.h"

namespace kernelgen::cuda {
namespace {

std::vector<std::uint64_t> addresses_of(const DeviceBuffers& buffers) {
    std::vector<std::uint64_t> addresses;
    for (const auto* each : {&buffers.inputs, &buffers.outputs, &buffers.workspace}) {
        addresses.insert(addresses.end(), each->begin(), each->end());
    }
    return addresses;
}

/// A repetition that Python replays from what it has prepared: a graph, or its calls one by one. `places`: of the
/// outputs of all its calls.
class PythonRepetition final : public Repetition {
public:
    PythonRepetition(const CalledBack& file, std::size_t outputs, std::vector<std::uint64_t>& places)
        : file_(file), outputs_(outputs), places_(places) {}

    Outcome enqueue(Stream) override {
        places_.assign(outputs_, 0);
        return file_.call({}, CalledBack::Mode::replay, places_);
    }

private:
    const CalledBack& file_;
    std::size_t outputs_;
    std::vector<std::uint64_t>& places_;
};

/// A Python variant, in the same context and stream: PyTorch uses the device's primary context and CUDA's default
/// stream too.
class PythonDeviceKernel final : public DeviceKernel {
public:
    explicit PythonDeviceKernel(std::unique_ptr<CalledBack> file) : file_(std::move(file)) {}

    Outcome bind(const Call& call) override {
        outputs_ = call.outputs.size();
        return file_->bind(call);
    }

    Outcome enqueue(const DeviceBuffers& buffers, Stream) override {
        file_->call({}, CalledBack::Mode::forget);
        places_.assign(outputs_, 0);
        return file_->call(addresses_of(buffers), CalledBack::Mode::timed, places_);
    }
    Outcome enqueue_judged(const DeviceBuffers& buffers, Stream) override {
        return file_->call(addresses_of(buffers), CalledBack::Mode::judged);
    }
    std::span<const std::uint64_t> places(int call) const override {
        return std::span(places_).subspan(static_cast<std::size_t>(call) * outputs_, outputs_);
    }

    Outcome repeat(const std::vector<DeviceBuffers>& sets, Stream capturing,
                   std::unique_ptr<Repetition>& made) override {
        std::vector<std::vector<std::uint64_t>> addresses;
        for (const DeviceBuffers& set : sets) addresses.push_back(addresses_of(set));
        const Outcome outcome = file_->repeat(addresses, reinterpret_cast<std::uint64_t>(capturing));
        if (outcome.ok()) made = std::make_unique<PythonRepetition>(*file_, sets.size() * outputs_, places_);
        return outcome;
    }

private:
    std::unique_ptr<CalledBack> file_;
    std::size_t outputs_ = 0;
    std::vector<std::uint64_t> places_;  ///< of the outputs of all calls of the last sample
};

}  // namespace

Outcome load_python_kernel(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                           std::optional<TrialReport>& trial, std::unique_ptr<DeviceKernel>& loaded) {
    std::unique_ptr<CalledBack> file;
    const Outcome outcome = CalledBack::load(callbacks, artifact, call, trial, file);
    if (outcome.ok()) loaded = std::make_unique<PythonDeviceKernel>(std::move(file));
    return outcome;
}

}  // namespace kernelgen::cuda
