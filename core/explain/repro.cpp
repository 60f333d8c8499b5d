// SPDX-License-Identifier: Apache-2.0
#include "core/explain/repro.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <format>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/backend/call_json.h"
#include "core/base/file.h"
#include "core/base/json_values.h"
#include "core/host/loaded_kernel.h"
#include "core/host/private_memory.h"
#include "core/project/project_file.h"
#include "core/verify/buffers.h"
#include "core/verify/contraction_values.h"
#include "core/verify/judge.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::array<std::pair<Placement, std::string_view>, 3> guards{
    {{Placement::shared, "none"}, {Placement::ends_guarded, "end"}, {Placement::starts_guarded, "start"}}};

constexpr int most_threads = 4096;

/// Whether the call, its case and its operator belong together: as many tensors, of the sizes that the case gives them.
bool fits(const Call& call, const Operator& definition, const Case& binding) {
    const auto same = [&](const std::vector<BoundTensor>& bound, const std::vector<Tensor>& tensors) {
        return bound.size() == tensors.size() &&
               std::ranges::equal(bound, tensors, [&](const BoundTensor& one, const Tensor& other) {
                   const bool has_sizes = std::ranges::all_of(other.shape, [&](const std::string& axis) {
                       return binding.sizes.contains(axis) || !std::ranges::contains(definition.symbols, axis);
                   });
                   const auto count = has_sizes ? element_count(other, binding.sizes) : std::nullopt;
                   return count && one.bytes == static_cast<std::size_t>(*count) * size_of(one.dtype) &&
                          one.dtype == dtype_of(other, binding);
               });
    };
    return same(call.inputs, definition.inputs) && same(call.outputs, definition.outputs);
}

template <class T>
bool take(const json& source, const char* key, Validated<T> (*read_part)(const json&), T& value, std::string& problem) {
    if (!source.contains(key)) {
        problem = std::string("`") + key + "` is missing";
        return false;
    }
    Validated<T> part = read_part(source.at(key));
    if (part) value = std::move(*part);
    else problem = to_string(part.error());
    return part.has_value();
}

}  // namespace

std::string_view guard_name(Placement placement) {
    return std::ranges::find(guards, placement, &std::pair<Placement, std::string_view>::first)->second;
}

std::optional<Placement> parse_guard(std::string_view name) {
    const auto found = std::ranges::find(guards, name, &std::pair<Placement, std::string_view>::second);
    return found == guards.end() ? std::nullopt : std::optional(found->first);
}

json to_json(const ReproCall& call) {
    return {{"artifact", to_json(call.artifact)},
            {"call", to_json(call.call)},
            {"operator", json(to_json(call.definition))},
            {"case", json(to_json(call.binding))},
            {"accuracy", json(to_json(call.accuracy))},
            {"set", to_string(call.set)},
            {"seed", call.seed},
            {"guard", guard_name(call.placement)},
            {"threads", call.threads}};
}

Result<ReproCall> repro_call_from_json(const json& source) {
    if (!source.is_object()) return fail("no call is described there");
    ReproCall call;
    Result<Artifact> artifact = read_whole<Artifact>(source.value("artifact", json()));
    if (!artifact) return std::unexpected(artifact.error());
    Result<Call> planned = read_whole<Call>(source.value("call", json()));
    if (!planned) return std::unexpected(planned.error());
    call.artifact = std::move(*artifact);
    call.call = std::move(*planned);
    std::string problem;
    const bool has_parts = take(source, "operator", operator_from_json, call.definition, problem) &&
                           take(source, "case", case_from_json, call.binding, problem) &&
                           take(source, "accuracy", accuracy_from_json, call.accuracy, problem);
    if (!has_parts) return fail(problem);
    const auto name = [&](const char* key) {
        const json value = source.value(key, json());
        return value.is_string() ? value.get<std::string>() : std::string();
    };
    const auto set = parse_input_set(name("set"));
    const auto guard = parse_guard(name("guard"));
    const json seed = source.value("seed", json()), threads = source.value("threads", json());
    if (!set || !guard || !seed.is_number_unsigned() || !threads.is_number_unsigned())
        return fail("`set`, `seed`, `guard` or `threads` is missing or wrong");
    call.set = *set;
    call.placement = *guard;
    call.seed = seed.get<std::uint64_t>();
    call.threads = static_cast<int>(std::clamp<std::uint64_t>(threads.get<std::uint64_t>(), 1, most_threads));
    if (!fits(call.call, call.definition, call.binding)) return fail("the call is of another operator or case");
    return call;
}

namespace {

/// The buffers of one call: in an arena, or each of its own between unreadable pages.
class ReproBuffers {
public:
    explicit ReproBuffers(const ReproCall& call) : layout_(lay_out(call.call)), arena_(layout_.total + alignment) {
        base_ = arena_.data() + (alignment - reinterpret_cast<std::uintptr_t>(arena_.data()) % alignment);
        fill_guards(layout_, base_);
        fill_inputs(call.call, layout_, base_, call.set, call.seed);
        poison_outputs(layout_, base_, poisons[0]);
        for (const auto& [regions, pointers] :
             {std::pair(&layout_.inputs, &pointers_.inputs), std::pair(&layout_.outputs, &pointers_.outputs),
              std::pair(&layout_.workspace, &pointers_.workspace)}) {
            for (const Region& region : *regions) pointers->push_back(base_ + region.offset);
        }
    }

    /// Moves all buffers to unreadable pages. `least_alignment`: that the kernel needs.
    Result<void> guard(Placement placement, std::size_t least_alignment) {
        const auto edge = placement == Placement::ends_guarded ? GuardedBuffer::Edge::end : GuardedBuffer::Edge::start;
        for (const auto& [regions, pointers] :
             {std::pair(&layout_.inputs, &pointers_.inputs), std::pair(&layout_.outputs, &pointers_.outputs),
              std::pair(&layout_.workspace, &pointers_.workspace)}) {
            for (std::size_t i = 0; i < regions->size(); ++i) {
                Result<GuardedBuffer> made = GuardedBuffer::allocate((*regions)[i].bytes, edge, least_alignment);
                if (!made) return std::unexpected(made.error());
                std::memcpy(made->data(), (*pointers)[i], (*regions)[i].bytes);
                (*pointers)[i] = made->data();
                guarded_.push_back(std::move(*made));
            }
        }
        return {};
    }

    const CallBuffers& pointers() const { return pointers_; }
    std::optional<std::string> damage(const Call& call) const { return damaged_guard(call, layout_, base_); }

private:
    static constexpr std::size_t alignment = 256;
    Layout layout_;
    std::vector<std::byte> arena_;
    std::byte* base_ = nullptr;
    CallBuffers pointers_;
    std::vector<GuardedBuffer> guarded_;
};

/// Says how many elements hold what they held before the call.
void say_unwritten(const BoundTensor& tensor, const std::byte* first) {
    const std::size_t size = size_of(tensor.dtype);
    const auto is_poison = [](std::byte each) { return each == static_cast<std::byte>(poisons[0]); };
    std::size_t count = 0;
    for (std::size_t at = 0; at + size <= tensor.bytes; at += size)
        count += std::all_of(first + at, first + at + size, is_poison);
    if (count > 0)
        std::cout << std::format("{} elements of `{}` hold what they held before the call: they were not written\n",
                                 count, tensor.name);
}

/// Prints how the outputs are judged, and returns whether they are right.
bool say_outputs(const ReproCall& call, const ReproBuffers& buffers) {
    const Validated<Body> body = analyse(call.definition);
    if (!has_body(call.definition.family) || !body) {
        std::cout << "the call ended; the operator has no body to judge by\n";
        return true;
    }
    InputsWithContraction inputs = with_contraction(
        call.definition, *body, call.binding, generated_inputs(call.definition, call.binding, call.set, call.seed));
    const Criteria criteria{.definition = call.definition,
                            .body = *body,
                            .binding = call.binding,
                            .accuracy = call.accuracy,
                            .inputs = std::move(inputs.exact),
                            .own_inputs = std::move(inputs.rounded)};
    const std::vector<const std::byte*> outputs(buffers.pointers().outputs.begin(), buffers.pointers().outputs.end());
    const CaseAccuracy judged = judge(criteria, outputs, {});
    if (judged.status != Status::ok)  // a right element may be the poison by chance: 0x3f3f is 0.746 in bf16
        for (std::size_t i = 0; i < outputs.size(); ++i) say_unwritten(call.call.outputs[i], outputs[i]);
    std::cout << to_string(judged.status) << (judged.reason.empty() ? "" : ": ") << judged.reason << "\n";
    for (const Mismatch& each : judged.first_mismatches) {
        std::string index;
        for (const std::int64_t i : each.index) index += (index.empty() ? "" : ", ") + std::to_string(i);
        std::cout << std::format("  {}[{}] expected {:.9g}, actual {:.9g}\n", each.output, index, each.expected,
                                 each.actual);
    }
    return judged.status == Status::ok;
}

int refuse(const std::string& why) {
    std::cerr << "kernelgen: " << why << "\n";
    return 1;
}

int make_call_here(const ReproCall& repro) {
    std::vector<int> cpus = allowed_cpus();
    cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(repro.threads)));
    ThreadPool pool(cpus);
    Result<std::unique_ptr<LoadedKernel>> kernel = repro.artifact.language == Language::library
                                                       ? load_onednn_primitive(repro.artifact.primitive)
                                                       : load_shared_object(repro.artifact.path, repro.call, pool);
    if (!kernel) return refuse(kernel.error().message);
    if (const Outcome bound = (*kernel)->bind(repro.call); !bound.ok()) return refuse(bound.reason);
    ReproBuffers buffers(repro);
    if (repro.placement != Placement::shared) {
        if (const Result<void> moved = buffers.guard(repro.placement, (*kernel)->alignment()); !moved)
            return refuse(moved.error().message);
    }
    if (const Outcome called = (*kernel)->call(buffers.pointers()); !called.ok()) return refuse(called.reason);
    if (const auto damage = buffers.damage(repro.call)) {
        std::cout << "out_of_bounds: " << *damage << "\n";
        return 3;
    }
    return say_outputs(repro, buffers) ? 0 : 3;
}

}  // namespace

int host_once_main(const std::string& file) {
    const Result<std::string> text = read_file(file);
    if (!text) return refuse(text.error().message);
    const Result<ReproCall> call = repro_call_from_json(json::parse(*text, nullptr, false));
    if (!call) return refuse(file + ": " + call.error().message);
    const Language language = call->artifact.language;
    if (language != Language::cpp && language != Language::library)
        return refuse("only C++ kernels and libraries can be called here");
    return make_call_here(*call);
}

}  // namespace kernelgen
