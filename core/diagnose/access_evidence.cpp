// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/access_evidence.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/diagnose/gather.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

constexpr auto of_source = EvidenceSource::source;

void note_unfollowed(const Said& reason, Evidence& evidence) {
    for (const Metric& each : source_metrics) evidence.missing[each.name] = reason;
}

/// Bytes of a cache in "L1d 48 KiB, L2 1 MiB, L3 32 MiB"; nothing where it is not among them.
std::optional<double> bytes_of_cache(std::string_view caches, std::string_view name) {
    for (const std::string& part : split(caches, ',')) {
        const std::vector<std::string> words = split(trim(part), ' ');
        double size = 0;
        if (words.size() < 3 || words[0] != name || !parse_number(words[1], size)) continue;
        return size * (words[2] == "KiB" ? 1024.0 : words[2] == "MiB" ? 1048576.0 : 1.0);
    }
    return std::nullopt;
}

/// The part of the L2 that one program has, of those that run at once: a CPU's thread has its own.
std::optional<double> cache_of_program(const RoundDetail& detail, const Evidence& evidence) {
    const auto bytes = bytes_of_cache(detail.environment.caches, "L2");
    const auto at_once = evidence.value(metrics::programs_at_once.name);
    if (!bytes || evidence.kind == "cpu") return bytes;
    return at_once ? std::optional(*bytes / *at_once) : std::nullopt;
}

/// The first address in global memory that is read or written where most is accessed.
std::optional<std::int64_t> main_address(const Trace& trace, int buffer) {
    for (const auto& [key, site] : trace.sites) {
        if (site.buffer == buffer && !site.visits.empty()) return site.visits[0].address;
    }
    return std::nullopt;
}

/// The buffer of global memory with the most accesses that addresses are known of.
int main_buffer(const Trace& trace) {
    std::map<int, double> executions;
    for (const auto& [key, site] : trace.sites) {
        const bool counts = trace.buffers[static_cast<std::size_t>(site.buffer)].space == TracedBuffer::Space::global;
        if (counts && !site.visits.empty()) executions[site.buffer] += site.executions;
    }
    const auto most = std::ranges::max_element(executions, {}, [](const auto& each) { return each.second; });
    return most == executions.end() ? -1 : most->first;
}

/// How far apart consecutive programs are in memory, and the programs along the next axis.
void put_steps(const FollowedLaunch& launch, const Trace& first, Evidence& evidence) {
    const int buffer = main_buffer(first);
    const auto from = main_address(first, buffer);
    if (!from) return;
    for (const auto& [axis, name] :
         {std::pair{0, metrics::program_step_bytes.name}, std::pair{1, metrics::other_step_bytes.name}}) {
        const auto program = launch.neighbour(axis);
        if (!program) evidence.absent.insert(name);
        const auto to = program ? main_address(launch.follow(*program), buffer) : std::nullopt;
        if (to) evidence.put(name, static_cast<double>(std::abs(*to - *from)), of_source);
    }
}

/// The most accesses of a program over the mean, by some programs of each quarter of the grid. A few together, for
/// those at an edge have less.
void put_imbalance(const FollowedLaunch& launch, Evidence& evidence) {
    constexpr std::int64_t quarters = 4, together = 4;
    const std::int64_t programs = launch.programs();
    if (programs < quarters * together) return;
    double most = 0, sum = 0;
    for (std::int64_t quarter = 0; quarter < quarters; ++quarter) {
        double executions = 0;
        for (std::int64_t i = 0; i < together; ++i)
            executions += launch.follow(programs / quarters * quarter + i).executions();
        most = std::max(most, executions);
        sum += executions;
    }
    if (sum > 0) evidence.put(metrics::program_imbalance.name, most * quarters / sum, of_source);
}

/// What a thread loads of a tensor.
struct TensorLoads {
    std::map<std::pair<std::int64_t, int>, double> bytes;  ///< by the first address and the loop: each pass once
    std::int64_t first = 0, last = 0;
    std::vector<SourcePlace> where;

    double all_bytes() const {
        double sum = 0;
        for (const auto& [pass, loaded] : bytes) sum += loaded;
        return sum;
    }
};

std::map<std::string, TensorLoads> loads_of(const Trace& trace, const std::string& file) {
    std::map<std::string, TensorLoads> loads;
    for (const auto& [key, site] : trace.sites) {
        const TracedBuffer& buffer = trace.buffers[static_cast<std::size_t>(site.buffer)];
        if (site.kind != AccessKind::load || site.visits.empty() || buffer.space != TracedBuffer::Space::global)
            continue;
        const auto [entry, is_new] = loads.try_emplace(buffer.name);
        TensorLoads& tensor = entry->second;
        const Visit& begin = site.visits[0];
        if (is_new) tensor.first = tensor.last = begin.address;
        for (const Visit& each : site.visits) {
            tensor.first = std::min(tensor.first, each.address);
            tensor.last = std::max(tensor.last, each.address + each.bytes);
        }
        double& bytes = tensor.bytes[{begin.address, begin.loop}];
        bytes = std::max(bytes, site.executions * begin.bytes);
        tensor.where.push_back({file, site.line});
    }
    return loads;
}

/// How often the elements of the largest input are loaded, and how far apart the loads of one program lie.
void put_rereads(const RoundDetail& detail, const FollowedLaunch& launch, const Trace& first, const std::string& file,
                 Evidence& evidence) {
    const std::map<std::string, TensorLoads> loads = loads_of(first, file);
    double largest = 0;
    for (const Tensor& tensor : detail.definition.inputs) {
        const auto elements = element_count(tensor, evidence.binding.sizes);
        const auto loaded = loads.find(tensor.name);
        if (!elements || loaded == loads.end()) continue;
        const double bytes =
            static_cast<double>(*elements) * static_cast<double>(size_of(dtype_of(tensor, evidence.binding)));
        if (bytes <= largest) continue;
        largest = bytes;
        const TensorLoads& load = loaded->second;
        const auto threads = static_cast<double>(launch.programs()) * static_cast<double>(launch.threads_of_program());
        const double busy = evidence.value(metrics::busy_threads.name).value_or(1);
        evidence.put(metrics::loads_per_element.name, load.all_bytes() * threads * busy / bytes, of_source, load.where);
        evidence.put(metrics::reread_bytes.name, static_cast<double>(load.last - load.first), of_source);
    }
}

/// The launch that accesses most: the accesses of its first thread, times its threads.
std::optional<FollowedLaunch> heaviest(const RoundDetail& detail, const CodeFile& file, const Case& binding,
                                       const LaunchPlan& plan, Said& problem) {
    std::optional<FollowedLaunch> chosen;
    double most = -1;
    for (const PlannedLaunch& each : plan.launches) {
        std::optional<FollowedLaunch> launch = FollowedLaunch::of(detail, file, binding, each, problem);
        if (!launch) return std::nullopt;
        const Trace first = launch->follow(0);
        if (!first.gap.empty()) {
            problem = first.gap;
            return std::nullopt;
        }
        const auto threads =
            static_cast<double>(launch->programs()) * static_cast<double>(launch->threads_of_program());
        const double weight = (1 + first.executions()) * threads;
        if (weight <= most) continue;
        most = weight;
        chosen = std::move(launch);
    }
    return chosen;
}

}  // namespace

void put_accesses(const RoundDetail& detail, const Case& binding, const LaunchPlan& plan, Evidence& evidence) {
    const Variant& variant = detail.candidate.variant;
    const std::optional<double> cache = cache_of_program(detail, evidence);
    if (cache) evidence.put(metrics::cache_bytes.name, *cache, EvidenceSource::launch);
    if (variant.language != Language::cpp && variant.language != Language::cuda)
        return note_unfollowed("only C++ and CUDA sources are followed", evidence);
    Said problem;
    const CodeFile file(detail.candidate.text);
    const std::optional<FollowedLaunch> launch = heaviest(detail, file, binding, plan, problem);
    if (!launch) return note_unfollowed(problem, evidence);
    const Trace first = launch->follow(0);
    if (variant.language == Language::cuda) put_warp(detail, *launch, evidence);
    else put_lines(detail, *launch, first, cache.value_or(256 << 10), evidence);
    put_steps(*launch, first, evidence);
    put_imbalance(*launch, evidence);
    put_rereads(detail, *launch, first, variant.source, evidence);
}

}  // namespace kernelgen
