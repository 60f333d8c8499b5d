// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_whatif.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"

namespace kernelgen::cli {

namespace {

using nlohmann::ordered_json;

std::string percent(double share) { return std::format("{:.0f} %", 100 * share); }

std::string interval_text(const Speedup& found) {
    return std::format("{:.3f}× [{:.3f}, {:.3f}]", found.median, found.lower, found.upper);
}

double error_of(const CasePrediction& prediction, const Speedup& measured) {
    return prediction.slow_down() / measured.median - 1;
}

std::string model_text(const TimeModel& model) {
    if (model.is_roofline_alone())
        return std::format("the roofline alone: the project has {} different timed case{} on this device, and a fit "
                           "needs {}",
                           model.samples(), model.samples() == 1 ? "" : "s", TimeModel::least_samples);
    return std::format("fitted to {} timed cases of the project's rounds; each predicted from the others, it misses "
                       "by {:.1f} %",
                       model.samples(), 100 * std::expm1(model.leave_one_out_error()));
}

void print_prediction(std::ostream& out, const CasePrediction& each) {
    out << std::format("  now        {}: bytes {}, FLOPs {}, its own code {}, starts {}\n", seconds_text(each.seconds),
                       percent(each.parts.memory / each.seconds), percent(each.parts.arithmetic / each.seconds),
                       percent(each.parts.own / each.seconds), percent(each.parts.starts / each.seconds));
    out << std::format("  predicted  {} [{}, {}], {:.3f}× as long; bound by {}{}\n", seconds_text(each.likely),
                       seconds_text(each.lower), seconds_text(each.upper), each.slow_down(),
                       to_string(each.binds_then),
                       each.binds_now == each.binds_then ? "" : std::format(" (now by {})", to_string(each.binds_now)));
    out << std::format("  tuning     could bring back {} of the present speed at most: the roofline there is {}\n",
                       percent(each.most_back()), seconds_text(each.floor_seconds));
}

std::string neighbour_text(const NeighbourUse& neighbour) {
    if (neighbour.threads == 0) return "no neighbour";
    return std::format("{} thread{} of a neighbour moved {:.1f} GB/s{}", neighbour.threads,
                       neighbour.threads == 1 ? "" : "s", neighbour.gbps,
                       neighbour.shares_processors ? " on the kernel's own CPUs, and so took arithmetic too" : "");
}

void print_measured(std::ostream& out, const WhatifCase& each) {
    const HamperResult& measured = *each.measured;
    if (measured.status != Status::ok) {
        out << std::format("  not timed  {}: {}\n", to_string(measured.status), measured.reason);
        return;
    }
    const Speedup slow_down = measured.candidates.front().slow_down();
    out << std::format("  left       {} of the bandwidth, {} of the arithmetic: {}\n",
                       percent(measured.bandwidth_left()), percent(measured.arithmetic_left()),
                       neighbour_text(measured.neighbour));
    out << std::format("  measured   {} as long, in {} pairs with the whole device\n", interval_text(slow_down),
                       slow_down.pairs);
    out << std::format("  predicted  {:.3f}× for what was left ({:+.1f} %), {:.3f}× for what was asked ({:+.1f} %)\n",
                       each.as_measured->slow_down(), 100 * error_of(*each.as_measured, slow_down),
                       each.asked.slow_down(), 100 * error_of(each.asked, slow_down));
}

/// How much of the whole device's speed a hampered kernel has.
Speedup share_of_original(const PairedSeconds& pairs) { return speedup_of(pairs.hampered, pairs.whole); }

std::string share_text(const Speedup& share) {
    return std::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * share.median, 100 * share.lower, 100 * share.upper);
}

void print_tuned(std::ostream& out, const WhatifCase& each) {
    const Result<TunedAgain>& tuned = *each.tuned;
    if (!tuned) {
        out << "  not tuned  " << tuned.error().message << '\n';
        return;
    }
    const TuningOutcome& outcome = *tuned->tuning.outcome;
    out << std::format("  tuned      {} of {} tried, {}: {}\n", to_string(outcome.kind), outcome.tried,
                       configuration_text(outcome.configuration), outcome.reason);
    if (tuned->timing.status != Status::ok) {
        out << std::format("  not timed  {}: {}\n", to_string(tuned->timing.status), tuned->timing.reason);
        return;
    }
    const Speedup before = share_of_original(tuned->timing.candidates[0]);
    const Speedup after = share_of_original(tuned->timing.candidates[1]);
    out << std::format("  came back  {} of the whole device's speed; {} without tuning; at most {} by the roofline of what "
                       "was left\n",
                       share_text(after), share_text(before), percent(each.as_measured->most_back()));
}

ordered_json ratio_json(const Speedup& found) {
    return {{"median", found.median}, {"lower", found.lower}, {"upper", found.upper}, {"pairs", found.pairs}};
}

ordered_json tuned_json(const Result<TunedAgain>& tuned) {
    if (!tuned) return {{"status", to_string(Status::unavailable)}, {"reason", tuned.error().message}};
    const TuningOutcome& outcome = *tuned->tuning.outcome;
    ordered_json object = {{"status", to_string(tuned->timing.status)},
                           {"reason", tuned->timing.reason},
                           {"outcome", to_string(outcome.kind)},
                           {"why", outcome.reason},
                           {"tried", outcome.tried},
                           {"configuration", outcome.configuration}};
    if (tuned->timing.status != Status::ok) return object;
    object["share_without_tuning"] = ratio_json(share_of_original(tuned->timing.candidates[0]));
    object["share_of_original"] = ratio_json(share_of_original(tuned->timing.candidates[1]));
    return object;
}

ordered_json prediction_json(const CasePrediction& each) {
    return {{"seconds", each.likely},
            {"lower", each.lower},
            {"upper", each.upper},
            {"slow_down", each.slow_down()},
            {"bound_by", to_string(each.binds_then)},
            {"roofline_seconds", each.floor_seconds},
            {"most_back", each.most_back()}};
}

ordered_json measured_json(const WhatifCase& each) {
    const HamperResult& measured = *each.measured;
    ordered_json object = {{"status", to_string(measured.status)}, {"reason", measured.reason}};
    if (measured.status != Status::ok) return object;
    const Speedup slow_down = measured.candidates.front().slow_down();
    const NeighbourUse& neighbour = measured.neighbour;
    object["slow_down"] = ratio_json(slow_down);
    object["bandwidth_left"] = measured.bandwidth_left();
    object["arithmetic_left"] = measured.arithmetic_left();
    object["neighbour"] = {{"threads", neighbour.threads},
                           {"shares_processors", neighbour.shares_processors},
                           {"duty", neighbour.duty},
                           {"gbps", neighbour.gbps}};
    object["predicted"] = prediction_json(*each.as_measured);
    object["error"] = error_of(*each.as_measured, slow_down);
    object["error_of_asked"] = error_of(each.asked, slow_down);
    return object;
}

ordered_json whatif_case_json(const WhatifCase& each) {
    const CasePrediction& asked = each.asked;
    ordered_json object = {{"case", asked.binding.name},
                           {"seconds", asked.seconds},
                           {"parts",
                            {{"memory", asked.parts.memory},
                             {"arithmetic", asked.parts.arithmetic},
                             {"own_code", asked.parts.own},
                             {"starts", asked.parts.starts}}},
                           {"bound_by", to_string(asked.binds_now)},
                           {"predicted", prediction_json(asked)}};
    if (each.measured) object["measured"] = measured_json(each);
    if (each.tuned) object["tuned"] = tuned_json(*each.tuned);
    return object;
}

}  // namespace

std::string flag_of(Resource resource) {
    std::string name(to_string(resource));
    std::ranges::replace(name, ' ', '-');
    return "--" + name;
}

DeviceRatios ratios_left(const HamperResult& measured) {
    return {.bandwidth = measured.bandwidth_left(), .arithmetic = measured.arithmetic_left()};
}

void print_whatif(std::ostream& out, const WhatifAnswer& answer) {
    const Round& round = answer.base.round.round;
    out << std::format("Round {}: variant `{}` on {}, what if: {}\n", round.number, round.variant, round.device,
                       to_string(answer.other.factors));
    out << "model: " << model_text(answer.base.model) << "\n";
    for (const WhatifCase& each : answer.cases) {
        out << '\n' << each.asked.binding.name << '\n';
        print_prediction(out, each.asked);
        if (each.measured) print_measured(out, each);
        if (each.tuned) print_tuned(out, each);
    }
}

ordered_json whatif_document(const WhatifAnswer& answer) {
    const Round& round = answer.base.round.round;
    const TimeModel& model = answer.base.model;
    ordered_json document = {{"round", round.number}, {"variant", round.variant}, {"device", round.device}};
    for (const auto& [resource, factor] : answer.other.factors) document["factors"][std::string(to_string(resource))] = factor;
    document["model"] = {{"kind", model.is_roofline_alone() ? "roofline" : "fitted"}, {"samples", model.samples()}};
    if (!model.is_roofline_alone()) document["model"]["leave_one_out_error"] = model.leave_one_out_error();
    document["cases"] = ordered_json::array();
    for (const WhatifCase& each : answer.cases) document["cases"].push_back(whatif_case_json(each));
    return document;
}

}  // namespace kernelgen::cli
