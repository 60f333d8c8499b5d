// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_whatif.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/measure/metrics.h"
#include "core/measure/neighbours.h"
#include "core/report/whatif_words.h"

namespace kernelgen::cli {

namespace {

using nlohmann::ordered_json;

double error_of(const CasePrediction& prediction, const Speedup& measured) {
    return prediction.slow_down() / measured.median - 1;
}

std::string device_text(const OtherDevice& other, const Phrases& say) {
    std::vector<std::string> parts;
    for (const auto& [resource, factor] : other.factors)
        parts.push_back(say(Text::whatif_factor, resource_words(resource, say), say.number(factor)));
    if (other.arithmetic != 1)
        parts.push_back(say(Text::whatif_factor, say(Text::whatif_flops), say.number(other.arithmetic)));
    return join(parts, ", ");
}

std::vector<std::string> prediction_lines(const CasePrediction& each, const Phrases& say) {
    const auto share = [&](double seconds) { return say.percent(seconds / each.seconds); };
    const std::string before =
        each.binds_now == each.binds_then ? "" : say(Text::whatif_bound_before, limit_words(each.binds_now, say));
    return {say(Text::whatif_now, seconds_text(each.seconds), share(each.parts.memory), share(each.parts.arithmetic),
                share(each.parts.own), share(each.parts.starts)),
            say(Text::whatif_predicted, seconds_text(each.likely), seconds_text(each.lower), seconds_text(each.upper),
                say.ratio(each.slow_down()), limit_words(each.binds_then, say)) +
                before,
            say(Text::whatif_back, say.percent(each.most_back()), seconds_text(each.floor_seconds))};
}

std::string neighbour_text(const NeighbourUse& neighbour, const Phrases& say) {
    const std::string moved = value_text(metrics::bandwidth_gbps, neighbour.gbps);
    if (neighbour.threads == 0)
        return neighbour.gbps > 0 ? say(Text::whatif_neighbour_gpu, moved) : say(Text::whatif_no_neighbour);
    return say(neighbour.shares_processors ? Text::whatif_neighbour_shares : Text::whatif_neighbour, neighbour.threads,
               moved);
}

std::string not_timed(const HamperResult& result, const Phrases& say) {
    return say(Text::whatif_not_timed, to_string(result.status), say.of_engine(result.reason));
}

std::vector<std::string> held_lines(const WhatifCase& each, const Speedup& slow_down, const Phrases& say) {
    return {
        say(Text::whatif_held, say.number(each.held->warps.then), say.number(each.held->warps.now),
            each.held->more_shared_bytes),
        say(Text::whatif_measured, say.ratio(slow_down.median), say.ratio(slow_down.lower), say.ratio(slow_down.upper),
            slow_down.pairs),
        say(Text::whatif_compared_held, say.ratio(each.asked.slow_down()), say.gain(error_of(each.asked, slow_down)))};
}

std::vector<std::string> measured_lines(const WhatifCase& each, const Phrases& say) {
    const HamperResult& measured = *each.measured;
    if (measured.status != Status::ok) return {not_timed(measured, say)};
    const Speedup slow_down = measured.candidates.front().slow_down();
    if (each.held) return held_lines(each, slow_down, say);
    std::vector<std::string> lines = {
        say(Text::whatif_left, say.percent(measured.bandwidth_left()), say.percent(measured.arithmetic_left()),
            neighbour_text(measured.neighbour, say)),
        say(Text::whatif_measured, say.ratio(slow_down.median), say.ratio(slow_down.lower), say.ratio(slow_down.upper),
            slow_down.pairs),
        say(Text::whatif_compared, say.ratio(each.as_measured->slow_down()),
            say.gain(error_of(*each.as_measured, slow_down)), say.ratio(each.asked.slow_down()),
            say.gain(error_of(each.asked, slow_down)))};
    if (measured.busy_by_others > Neighbours::most_share)
        lines.push_back(say(Text::whatif_busy, say.percent(measured.busy_by_others)));
    return lines;
}

/// How much of the whole device's speed a hampered kernel has.
Speedup share_of_original(const PairedSeconds& pairs) { return speedup_of(pairs.hampered, pairs.whole); }

std::string outcome_text(const TuningOutcome& outcome, const Phrases& say) {
    switch (outcome.kind) {
        case TuningOutcome::Kind::winner: return say(Text::whatif_winner);
        case TuningOutcome::Kind::tie: return say(outcome.is_decided ? Text::whatif_tie : Text::whatif_not_decided);
        case TuningOutcome::Kind::failed: return say(Text::whatif_failed);
    }
    return "";
}

double resource_of(const BuildResult& built, const Metric& metric) {
    const auto found = built.resources.find(metric.name);
    return found == built.resources.end() ? 0 : found->second;
}

double spilled_bytes(const BuildResult& built) {
    return resource_of(built, metrics::spill_store_bytes) + resource_of(built, metrics::spill_load_bytes);
}

std::string capped_line(const CappedBuild& built, const Phrases& say) {
    const auto share = [&](const BuildResult& of) { return say.percent(resource_of(of, metrics::occupancy)); };
    return say(Text::whatif_capped, say.number(resource_of(built.capped, metrics::registers)),
               say.number(resource_of(built.whole, metrics::registers)), say.number(spilled_bytes(built.capped)),
               say.number(spilled_bytes(built.whole)), share(built.capped), share(built.whole));
}

ordered_json build_json(const BuildResult& built) {
    return {{"registers", resource_of(built, metrics::registers)},
            {"spill_bytes", spilled_bytes(built)},
            {"occupancy", resource_of(built, metrics::occupancy)}};
}

std::vector<std::string> tuned_lines(const WhatifCase& each, const Phrases& say) {
    const Result<TunedAgain>& tuned = *each.tuned;
    if (!tuned) return {say(Text::whatif_not_tuned, say.of_engine(tuned.error().message))};
    const TuningOutcome& outcome = *tuned->tuning.outcome;
    std::vector<std::string> lines = {say(Text::whatif_tuned, outcome_text(outcome, say), outcome.tried,
                                          configuration_text(outcome.configuration), say.of_engine(outcome.reason))};
    if (tuned->timing.status != Status::ok) {
        lines.push_back(not_timed(tuned->timing, say));
        return lines;
    }
    const Speedup before = share_of_original(tuned->timing.candidates[0]);
    const Speedup after = share_of_original(tuned->timing.candidates[1]);
    lines.push_back(say(Text::whatif_came_back, say.percent(after.median), say.percent(after.lower),
                        say.percent(after.upper), say.percent(before.median),
                        say.percent(each.as_measured->most_back())));
    return lines;
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
    if (!outcome.is_decided) object["decided"] = false;
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
    object["error_of_asked"] = error_of(each.asked, slow_down);
    if (each.held) {
        object["held"] = {{"warps", each.held->warps.then},
                          {"of_warps", each.held->warps.now},
                          {"more_shared_bytes", each.held->more_shared_bytes}};
        return object;
    }
    object["bandwidth_left"] = measured.bandwidth_left();
    object["arithmetic_left"] = measured.arithmetic_left();
    object["busy_by_others"] = measured.busy_by_others;
    object["neighbour"] = {{"threads", neighbour.threads},
                           {"shares_processors", neighbour.shares_processors},
                           {"duty", neighbour.duty},
                           {"gbps", neighbour.gbps}};
    object["predicted"] = prediction_json(*each.as_measured);
    object["error"] = error_of(*each.as_measured, slow_down);
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
    if (each.capped)
        object["built"] = {{"cap", each.capped->cap},
                           {"whole", build_json(each.capped->whole)},
                           {"capped", build_json(each.capped->capped)}};
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

void print_whatif(std::ostream& out, const WhatifAnswer& answer, const Phrases& say) {
    const Round& round = answer.base.round.round;
    out << say(Text::whatif_title, round.number, round.variant, round.device, device_text(answer.other, say)) << '\n'
        << model_words(answer.base.model, say) << '\n';
    for (const WhatifCase& each : answer.cases) {
        out << '\n' << each.asked.binding.name << '\n';
        for (const std::string& line : prediction_lines(each.asked, say)) out << "  " << line << '\n';
        if (each.capped) out << "  " << capped_line(*each.capped, say) << '\n';
        if (!each.measured) continue;
        for (const std::string& line : measured_lines(each, say)) out << "  " << line << '\n';
        if (!each.tuned) continue;
        for (const std::string& line : tuned_lines(each, say)) out << "  " << line << '\n';
    }
}

ordered_json whatif_document(const WhatifAnswer& answer) {
    const Round& round = answer.base.round.round;
    const TimeModel& model = answer.base.model;
    ordered_json document = {{"round", round.number}, {"variant", round.variant}, {"device", round.device}};
    for (const auto& [resource, factor] : answer.other.factors)
        document["factors"][std::string(to_string(resource))] = factor;
    document["model"] = {{"kind", model.is_roofline_alone() ? "roofline" : "fitted"}, {"samples", model.samples()}};
    if (!model.is_roofline_alone()) document["model"]["leave_one_out_error"] = model.leave_one_out_error();
    document["cases"] = ordered_json::array();
    for (const WhatifCase& each : answer.cases) document["cases"].push_back(whatif_case_json(each));
    return document;
}

}  // namespace kernelgen::cli
