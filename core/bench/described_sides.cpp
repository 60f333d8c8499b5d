// SPDX-License-Identifier: Apache-2.0
#include "core/bench/described_sides.h"

#include "core/verify/callable_case.h"

namespace kernelgen {
namespace {

/// The processes of a timing: of each side and of the definition.
std::vector<ExecutorUse> uses_of(const BenchRequest& request) {
    std::vector<ExecutorUse> uses = {use_for({&request.baseline})};
    for (const Implementation& candidate : request.candidates) uses.push_back(use_for({&candidate}));
    if (request.reference) uses.push_back(use_for_judge(*request.reference));
    return uses;
}

}  // namespace

Outcome describe_sides(BenchRequest& request, Backend& backend, std::stop_token stop) {
    if (!has_file(request.definition.family)) return {};
    backend.expect(request.device, uses_of(request));
    CallableCase found;
    const Outcome described = describe_case(request.definition, request.reference, request.binding, backend,
                                            request.device, request.timeout_seconds, std::move(stop), found);
    if (!described.ok()) return described;
    request.definition = found.definition;
    request.accuracy = accuracy_of(request.accuracy, found);
    for (Implementation& candidate : request.candidates) candidate = found.side(std::move(candidate));
    request.baseline = found.side(std::move(request.baseline));
    request.reference = found.side(std::move(*request.reference));
    return {};
}

}  // namespace kernelgen
