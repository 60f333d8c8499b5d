// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_checks = 20;

std::string inputs_phrase(const CaseAccuracy& check, const Phrases& say) {
    return say(Text::inputs_of, in_code(to_string(check.set)), check.seed);
}

/// A check that no element was judged in has no metrics: its kernel did not get that far.
std::vector<std::string> check_row(const CaseAccuracy& check, const Phrases& say) {
    std::vector<std::string> row = {as_prose(check.binding.name), inputs_phrase(check, say),
                                    in_code(to_string(check.status))};
    const ErrorMetrics& metrics = check.metrics;
    if (metrics.elements == 0) {
        row.insert(row.end(), 8, say(Text::not_measured));
        return row;
    }
    for (const double error : {metrics.max_absolute, metrics.mean_absolute, metrics.p50_absolute, metrics.p90_absolute,
                               metrics.p99_absolute, metrics.max_relative, metrics.mean_relative}) {
        row.push_back(say.number(error));
    }
    row.push_back(say(Text::count_of, say.count(metrics.mismatches), say.count(metrics.elements)));
    return row;
}

std::string checks_text(const RoundView& view, const Phrases& say) {
    MarkdownTable table{
        say.all(Text::column_case, Text::column_inputs, Text::column_status, metrics::max_absolute,
                metrics::mean_absolute, metrics::p50_absolute, metrics::p90_absolute, metrics::p99_absolute,
                metrics::max_relative, metrics::mean_relative, metrics::mismatches),
        {}};
    std::string notes;
    const auto& checks = view.detail->verification.cases;
    for (const CaseAccuracy& check : checks) {
        if (table.rows.size() == most_checks) break;
        table.rows.push_back(check_row(check, say));
        if (check.metrics.excluded == 0) continue;
        notes +=
            paragraph(say(Text::excluded_elements, say.count(check.metrics.excluded), as_prose(check.binding.name)));
    }
    std::string text = to_markdown(table);
    if (checks.size() > most_checks) {
        text += paragraph(say(Text::and_more, checks.size() - most_checks, view.round.number));
    }
    return text + notes;
}

std::string element_phrase(const Mismatch& mismatch) {
    std::vector<std::string> index;
    for (const std::int64_t each : mismatch.index) index.push_back(std::to_string(each));
    return in_code(mismatch.output + "[" + join(index, ", ") + "]");
}

/// The mismatches of the first check that has any.
std::string mismatches_text(const std::vector<CaseAccuracy>& checks, const Phrases& say) {
    const auto check = std::ranges::find_if(checks, [](const auto& each) { return !each.first_mismatches.empty(); });
    if (check == checks.end()) return "";
    MarkdownTable table{say.all(Text::column_element, Text::column_expected, Text::column_actual), {}};
    for (const Mismatch& mismatch : check->first_mismatches) {
        table.rows.push_back({element_phrase(mismatch), say.number(mismatch.expected), say.number(mismatch.actual)});
    }
    return paragraph(say(Text::mismatches_heading, as_prose(check->binding.name), inputs_phrase(*check, say))) +
           to_markdown(table);
}

std::string places_phrase(const Cause& cause, const Phrases& say) {
    std::vector<std::string> places;
    for (const SourceLine& each : cause.places)
        places.push_back(in_code(each.file + ":" + std::to_string(each.line)) + " " + in_code(each.text));
    return places.empty() ? "" : say(Text::cause_places, join(places, say(Text::fact_separator)));
}

std::string cause_phrase(const Cause& cause, const Phrases& say) {
    std::vector<std::string> evidence;
    for (const Said& each : cause.evidence) evidence.push_back(say.of_engine(each));
    const std::string text = say.of_engine(cause.text), advice = say.of_engine(cause.advice);
    const std::string share = say.percent(cause.confidence);
    const std::string line =
        evidence.empty() ? say(Text::cause_bare_line, text, share, advice)
                         : say(Text::cause_line, text, share, join(evidence, say(Text::evidence_separator)), advice);
    return line + places_phrase(cause, say);
}

std::string causes_text(const std::optional<Explanation>& explanation, const Phrases& say) {
    if (!explanation || explanation->causes.empty()) return "";
    const std::string inputs = say(Text::inputs_of, in_code(to_string(explanation->set)), explanation->seed);
    std::string text = paragraph(say(Text::causes_heading, as_prose(explanation->binding.name), inputs));
    for (const Cause& each : explanation->causes) text += bullet(cause_phrase(each, say));
    text += "\n";
    if (!explanation->smallest.empty())
        text += paragraph(say(Text::smallest_failing_sizes, in_code(explanation->smallest)));
    return text;
}

/// Elements by decade of the absolute error; the exponent is of the decade's lower end.
std::map<int, std::int64_t> decades_of(const ErrorMetrics& metrics) {
    constexpr int bins_of_a_decade = 4;
    std::map<int, std::int64_t> decades;
    for (std::size_t bin = 0; bin < metrics.histogram.size(); ++bin) {
        if (metrics.histogram[bin] == 0) continue;
        decades[metrics.first_exponent + static_cast<int>(bin) / bins_of_a_decade] += metrics.histogram[bin];
    }
    return decades;
}

std::string distribution_phrase(const ErrorMetrics& metrics, const Phrases& say) {
    const auto share = [&](std::int64_t count) {
        return say.percent(static_cast<double>(count) / static_cast<double>(metrics.elements));
    };
    std::vector<std::string> parts = {say(Text::histogram_exact, share(metrics.exact))};
    for (const auto& [exponent, count] : decades_of(metrics)) {
        parts.push_back(say(Text::histogram_bin, exponent, exponent + 1, share(count)));
    }
    return join(parts, " · ");
}

std::string histogram_text(const std::vector<CaseAccuracy>& checks, const Phrases& say) {
    std::string text;
    for (const CaseAccuracy& check : checks) {
        if (!check.own_case || check.metrics.elements == 0) continue;
        text += bullet(as_prose(check.binding.name) + ": " + distribution_phrase(check.metrics, say));
    }
    return text.empty() ? "" : heading(4, say(Text::histogram_heading)) + text + "\n";
}

/// The accuracy where the full record cannot be read, only the summary.
std::string summary_text(const Round& round, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_case, Text::column_status, metrics::max_absolute), {}};
    for (const RoundCase& each : round.cases) {
        const bool judged = round.status == Status::ok || each.max_absolute_error != 0;
        table.rows.push_back({as_prose(each.binding.name), in_code(to_string(each.status)),
                              judged ? say.number(each.max_absolute_error) : say(Text::not_measured)});
    }
    return to_markdown(table);
}

}  // namespace

std::string accuracy_tables(const RoundView& view, const Phrases& say) {
    if (!view.detail) return summary_text(view.round, say);
    const VerifyResult& verification = view.detail->verification;
    if (verification.checks == 0 && verification.cases.empty()) {
        return paragraph(say(Text::not_measured_because, say(view.round.status)));
    }
    return paragraph(say(Text::accuracy_checks, verification.checks, say.measure(verification.seconds, "s"))) +
           checks_text(view, say) + mismatches_text(verification.cases, say) +
           causes_text(view.detail->explanation, say) + histogram_text(verification.cases, say);
}

std::string accuracy_section(const RoundView& view, const Phrases& say) {
    return heading(4, say(Text::accuracy_heading)) + accuracy_tables(view, say);
}

}  // namespace kernelgen
