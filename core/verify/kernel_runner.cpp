// SPDX-License-Identifier: Apache-2.0
#include "core/verify/kernel_runner.h"

#include <format>

#include "core/backend/trial.h"

namespace kernelgen {
namespace {

constexpr int most_messages = 3;
constexpr int observing_slot = 2;

/// The build's reason, which is its first error, with the next ones.
Said explain(const BuildResult& build) {
    Said text = build.reason;
    int count = 0;
    for (const CompilerMessage& message : build.messages) {
        if (message.severity != "error" || ++count > most_messages ||
            build.reason.text().ends_with(message.text.text()))
            continue;
        const std::string column = message.column > 0 ? std::format("{}:", message.column) : "";
        text += std::format("\n{}:{}:{} {}", message.file, message.line, column, message.text);
    }
    return text;
}

}  // namespace

KernelRunner::KernelRunner(Backend& backend, const Operator& definition, const Implementation& implementation,
                           std::string device, double timeout_seconds, const Progress& progress, std::stop_token stop,
                           Role role)
    : backend_(backend),
      definition_(definition),
      implementation_(implementation),
      device_(std::move(device)),
      timeout_seconds_(timeout_seconds),
      progress_(progress),
      stop_(std::move(stop)),
      role_(role) {}

bool KernelRunner::can_guard() const {
    return backend_.traits().guards_pages && implementation_.variant.language != Language::library;
}

bool KernelRunner::is_interpreted() const {
    return backend_.traits().interprets_triton && implementation_.variant.language == Language::triton;
}

const BuildResult& KernelRunner::build(const Call& call, const BuildKey& key) {
    const auto known = builds_.find(key);
    if (known != builds_.end()) return known->second;
    Sizes sizes;
    for (std::size_t i = 0; i < definition_.symbols.size(); ++i) sizes[definition_.symbols[i]] = call.symbols[i];
    BuildRequest request{definition_, implementation_, key.first, device_, {}, sizes, timeout_seconds_};
    request.implementation.configuration = key.second;
    request.implementation.variant.configurations.clear();
    return builds_.emplace(key, backend_.build(request, progress_, stop_)).first->second;
}

/// Bytes that PyTorch's functions allocate in the machine's memory: results, which are copied into the arena, and as a
/// rule an intermediate of their size.
std::size_t KernelRunner::bytes_beside(const Call& call) const {
    const Language language = implementation_.variant.language;
    if (!backend_.traits().is_host || !runs_in_python(language) || language == Language::triton) return 0;
    std::size_t results = 0;
    for (const BoundTensor& output : call.outputs) results += output.bytes;
    return 2 * results;
}

Outcome KernelRunner::start() {
    if (executor_ && executor_->alive()) return {};
    const ExecutorUse use = role_ == Role::judge ? use_for_judge(implementation_) : use_for({&implementation_});
    Result<std::shared_ptr<Executor>> started = backend_.start_executor(device_, use, stop_);
    if (!started) return {stop_.stop_requested() ? Status::cancelled : Status::unavailable, started.error().message};
    executor_ = std::move(*started);
    executor_->set_limit(timeout_seconds_, stop_);
    for (auto& each : loaded_) each.reset();
    return {};
}

Outcome KernelRunner::prepare(const Call& call, DType dtype, std::size_t bytes, const Judging& judges) {
    const Outcome started = start();  // before the build, since a device's context takes time
    const BuildKey key(dtype, call.configuration);
    const BuildResult& built = build(call, key);
    key_ = built.key;
    if (built.status != Status::ok) return {built.status, explain(built)};
    if (!started.ok()) return started;
    if (Result<void> grown = executor_->arena().grow(bytes, bytes_beside(call)); !grown)
        return {Status::over_limit, grown.error().message};
    const std::pair wanted(key, judges);
    slot_ = judges == Judging{} ? 0 : 1;
    if (loaded_[slot_] == wanted) return {};
    Artifact artifact = built.artifact;
    artifact.python.judges = judges;
    const Outcome loaded = executor_->load(slot_, artifact, call);
    if (loaded.ok()) loaded_[slot_] = wanted;
    if (!executor_->alive()) ++deaths_;
    return loaded;
}

Builds KernelRunner::builds() const {
    Builds builds;
    for (const auto& [key, build] : builds_) {
        builds.insert({key.first, {build.key, build.resources, build.occupancy_limiter}});
    }
    return builds;
}

Outcome KernelRunner::run(const Call& call, const Layout& layout, Placement placement) {
    const Outcome outcome = executor_->run(slot_, call, layout, placement);
    if (!executor_->alive() && (outcome.status == Status::crashed || outcome.status == Status::timed_out)) ++deaths_;
    return outcome;
}

Outcome KernelRunner::observe(const Call& call, std::vector<Said>& remarks) {
    if (Outcome started = start(); !started.ok()) return started;
    Artifact artifact = builds_.begin()->second.artifact;
    artifact.python.callable.role = "observe";
    TrialReport trial;
    const Outcome observed = executor_->try_out(observing_slot, artifact, call, trial);
    for (CompilerMessage& message : trial.messages) remarks.push_back(std::move(message.text));
    if (!backend_.traits().is_host) {  // a profiler may have made its launches slower: nobody is timed in it
        executor_->end();
        executor_.reset();
    }
    return observed;
}

}  // namespace kernelgen
