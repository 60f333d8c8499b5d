// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/timed_sample.h"

#include <format>

#include "core/diagnose/diagnose.h"
#include "core/measure/ceilings.h"
#include "core/measure/metrics.h"
#include "core/round/best.h"
#include "core/strategy/gain.h"

namespace kernelgen {

namespace {

std::string kernel_of(const RoundDetail& detail, const RoundCase& timed) {
    std::string text = detail.round.variant + " " + detail.round.source_hash;
    for (const auto& [name, value] : configuration_of(detail.round, timed)) text += std::format(" {}={}", name, value);
    return text;
}

TimedSample sample_of(const RoundDetail& detail, const Body& body, const RoundCase& timed) {
    const Analysis analysis = analyse_case(detail.definition, body, timed.binding);
    const double rate =
        flop_ceiling(detail.ceilings, arithmetic_of(detail.definition, timed.binding), analysis.multiplied) * 1e9;
    const double bandwidth = bandwidth_ceiling(detail.ceilings, analysis.bytes_read, analysis.bytes_written) * 1e9;
    const Evidence evidence = evidence_of(detail, timed.binding);
    const auto known = [&](const Metric& metric) { return evidence.value(metric.name).value_or(0); };
    TimedSample sample{.kernel = kernel_of(detail, timed), .binding = timed.binding, .seconds = timed.seconds};
    sample.memory = analysis.bytes() / bandwidth;
    if (rate > 0) {
        sample.arithmetic = (analysis.flops - analysis.transcendentals) / rate;
        sample.functions = analysis.transcendentals / rate;
    }
    sample.programs = known(metrics::programs);
    sample.at_once = known(metrics::programs_at_once);
    sample.starts =
        known(metrics::launches) * detail.ceilings.launch_seconds + sample.programs * detail.ceilings.program_seconds;
    sample.tail = known(metrics::tail_waste);
    sample.occupancy = known(metrics::occupancy);
    sample.noise = noise_of(timed);
    return sample;
}

}  // namespace

Result<std::vector<TimedSample>> timed_samples(const RoundDetail& detail) {
    const Round& round = detail.round;
    if (!has_body(detail.definition.family))
        return fail(
            say("`{}` has no body in the operator language, so that its bytes and FLOPs cannot be "
                "counted: there is no roofline to predict from; give the operator a body "
                "(docs/OPERATOR_LANGUAGE.md)",
                detail.definition.name));
    const Validated<Body> body = analyse(detail.definition);
    if (!body) return fail(to_string(body.error()));
    if (!detail.ceilings.measured())
        return fail(
            say("round {} has no ceilings of `{}`: `kernelgen devices --measure` measures them, and "
                "`kernelgen run` makes a round with them",
                round.number, round.device));
    std::vector<TimedSample> samples;
    for (const RoundCase* timed : timed_cases(round)) samples.push_back(sample_of(detail, *body, *timed));
    if (samples.empty())
        return fail(say("no case of round {} was timed, for it ended as `{}`: make another with `kernelgen run`",
                        round.number, to_string(round.status)));
    return samples;
}

}  // namespace kernelgen
