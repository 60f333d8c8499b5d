// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print.h"

#include <algorithm>
#include <cctype>
#include <format>
#include <nlohmann/json.hpp>

#include "app/cli/print_strategy.h"
#include "core/base/text.h"
#include "core/explain/compiler_errors.h"
#include "core/report/build_table.h"
#include "core/round/best.h"
#include "core/round/noise.h"

namespace kernelgen::cli {

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

namespace {

bool is_number_like(std::string_view text) {
    return text.empty() || text == "-" || (text[0] >= '0' && text[0] <= '9') ||
           (text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9');
}

}  // namespace

std::string one_line(std::string text) {
    std::ranges::replace_if(text, [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
    return text;
}

void print_table(std::ostream& out, Table table) {
    for (std::vector<std::string>& row : table.rows) std::ranges::transform(row, row.begin(), one_line);
    const std::size_t columns = table.headings.size();
    std::vector<std::size_t> widths(columns);
    std::vector<bool> right(columns, true);
    for (std::size_t c = 0; c < columns; ++c) {
        widths[c] = display_width(table.headings[c]);
        for (const auto& row : table.rows) {
            widths[c] = std::max(widths[c], display_width(row[c]));
            right[c] = right[c] && is_number_like(row[c]);
        }
    }
    const auto print_row = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string space(widths[c] - display_width(cells[c]), ' ');
            line += (c == 0 ? "" : "  ") + (right[c] ? space + cells[c] : cells[c] + space);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << "\n";
    };
    print_row(table.headings);
    for (const auto& row : table.rows) print_row(row);
}

std::string as_word(std::string_view text) {
    const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 || std::string_view("_-./:=,+@%").contains(static_cast<char>(c));
    });
    if (plain) return std::string(text);
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string in_shell(std::string_view path) {
    return (path.starts_with('-') ? "./" : "") + as_word(path);  // else it would be an option
}

std::string seconds_text(double seconds) { return with_si_prefix(seconds, "s"); }

std::string name_of(const Metric& metric) {
    std::string name(metric.title);
    if (name.size() > 1 && std::islower(static_cast<unsigned char>(name[1])) != 0) {
        name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    }
    return name;
}

std::string spent_text(std::size_t rounds, const Project& project) {
    return Phrases(Tongue::english).rounds_spent(rounds, project.performance.max_rounds);
}

std::string value_text(const Metric& metric, double value) { return Phrases(Tongue::english).value(metric, value); }

namespace {

/// "max abs. error 2.4e-07"
std::string told(const Metric& metric, double value) { return name_of(metric) + " " + value_text(metric, value); }

/// Prints the resources that builds take, indented; nothing where the builds do not tell them.
void print_resources(std::ostream& out, Table table) {
    if (table.rows.empty()) return;
    table.headings.front().insert(0, "  ");
    for (std::vector<std::string>& row : table.rows) row.front().insert(0, "  ");
    print_table(out, table);
}

void print_indented(std::ostream& out, const std::string& text) {
    for (const std::string& line : split(text, '\n')) out << "    " << line << "\n";
}

/// Prints the explanation of a compiler's or a device's message; nothing where there is none.
void print_known_error(std::ostream& out, const std::string& message, const char* indent) {
    const auto known = explain_error(message, known_errors());
    if (known)
        out << indent << "why: " << known->why.english << "\n"
            << indent << "what to do: " << known->what_to_do.english << "\n";
}

}  // namespace

void print_build(std::ostream& out, const BuildResult& result) {
    if (result.status != Status::ok) out << "  " << to_string(result.status) << ": " << result.reason << "\n";
    else if (result.cached) out << "  built, from the cache\n";
    else out << "  built in " << seconds_text(result.seconds) << "\n";
    constexpr int most_explained = 3;  // the first error is often the only one
    int explained = 0;
    for (const CompilerMessage& message : result.messages) {
        out << "  ";
        if (message.line > 0) out << message.file << ":" << message.line << ":";
        if (message.column > 0) out << message.column << ":";
        out << (message.line > 0 ? " " : "") << message.severity << ": " << message.text << "\n";
        if (message.severity == "error" && explained++ < most_explained)
            print_known_error(out, message.text.text(), "      ");
    }
    if (explained == 0 && result.status != Status::ok) print_known_error(out, result.reason, "      ");
    const BuildSummary summary{result.key, result.resources, result.occupancy_limiter};
    print_resources(out, {{"resource", "takes"}, build_rows({&summary, 1}, Phrases(Tongue::english))});
}

void print_verification(std::ostream& out, const VerifyResult& result) {
    if (result.status == Status::ok) {
        out << std::format("verified: {} check{} in {}\n", result.checks, result.checks == 1 ? "" : "s",
                           seconds_text(result.seconds));
    } else if (result.cases.empty()) {
        out << "not verified: " << to_string(result.status) << ": " << result.reason << "\n";
    } else {  // the case that failed has the whole reason
        out << "not verified: " << to_string(result.status) << ": " << first_line(result.reason.text()) << "\n";
    }
    for (const CaseAccuracy& accuracy : result.cases) {
        const ErrorMetrics& errors = accuracy.metrics;
        out << "  " << accuracy.binding.name << ": " << to_string(accuracy.status);
        if (errors.elements > 0) {
            out << ", " << told(metrics::max_absolute, errors.max_absolute) << ", "
                << told(metrics::mean_absolute, errors.mean_absolute) << ", "
                << told(metrics::p99_absolute, errors.p99_absolute);
            for (const auto& [metric, value] : {std::pair(&metrics::kl_divergence, errors.kl_divergence),
                                                std::pair(&metrics::clip_ratio, errors.clip_ratio)}) {
                if (value > 0) out << ", " << told(*metric, value);
            }
        }
        out << "\n";
        if (accuracy.status != Status::ok) print_indented(out, accuracy.reason);
        if (accuracy.status != Status::ok && accuracy.first_mismatches.empty())
            print_known_error(out, accuracy.reason, "      ");
        for (const Mismatch& mismatch : accuracy.first_mismatches) {
            std::vector<std::string> index;
            for (const std::int64_t i : mismatch.index) index.push_back(std::to_string(i));
            out << std::format("    {}[{}] expected {:.9g}, actual {:.9g}\n", mismatch.output, join(index, ", "),
                               mismatch.expected, mismatch.actual);
        }
    }
    for (const Said& warning : result.warnings) out << "  note: " << warning << "\n";
    if (!result.printed.empty()) out << "  the kernel printed:\n" << result.printed << "\n";
}

namespace {

void print_timing(std::ostream& out, const BenchResult& timing, const RoundCase& summary) {
    out << "  " << summary.binding.name << ": ";
    if (timing.status != Status::ok) {
        out << to_string(timing.status) << ": " << timing.reason << "\n";
        return;
    }
    out << std::format("{} [{:.3f}, {:.3f}] over `{}`  ({} against {})\n", told(metrics::speedup, summary.speedup),
                       summary.speedup_lower, summary.speedup_upper, timing.baseline,
                       value_text(metrics::seconds, summary.seconds),
                       value_text(metrics::baseline_seconds, summary.baseline_seconds));
    const RooflinePoint& place = summary.roofline;
    out << "    ";
    if (place.bandwidth_gbps > 0) {  // without a body nothing is counted
        out << std::format("roofline: {}, {}, {}", value_text(metrics::intensity, place.intensity),
                           value_text(metrics::bandwidth_gbps, place.bandwidth_gbps),
                           value_text(metrics::gflops, place.gflops));
    }
    if (place.has_ceilings) {
        out << std::format("; {} of the {} ceiling ({} attainable)", value_text(metrics::fraction, place.fraction),
                           place.memory_bound ? "memory" : "compute",
                           value_text(metrics::attainable_gbps, place.attainable_gbps));
    }
    if (place.bandwidth_gbps > 0) out << "\n    ";
    out << std::format("{} pairs, ended by {}; {}; {}\n", timing.speedup.pairs, timing.ended_by,
                       told(metrics::relative_standard_deviation, summary.rsd),
                       told(metrics::p_value, timing.speedup.p_value));
    if (timing.workspace_bytes > 0) out << "    " << told(metrics::workspace_bytes, timing.workspace_bytes) << "\n";
    for (const Said& warning : timing.warnings) out << "    note: " << warning << "\n";
}

}  // namespace

namespace {

/// "noisy: RSD up to 12.3 % (5 % is the limit); the speedup's interval holds 1 in 64x300 f32", or "".
std::string noise_text(const Round& round) {
    double spread = 0;
    std::vector<std::string> undecided;
    for (const RoundCase* each : timed_cases(round)) {
        spread = std::max(spread, spread_of(*each));
        if (holds_one(*each)) undecided.push_back(each->binding.name);
    }
    std::vector<std::string> parts;
    if (spread > spread_limit) {
        parts.push_back(std::format("RSD up to {:.1f} % ({:.0f} % is the limit)", 100 * spread, 100 * spread_limit));
    }
    if (!undecided.empty()) parts.push_back("the speedup's interval holds 1 in " + join(undecided, ", "));
    return parts.empty() ? "" : "noisy: " + join(parts, "; ");
}

}  // namespace

void print_round(std::ostream& out, const RoundDetail& detail, bool recorded) {
    const Round& round = detail.round;
    if (is_noisy(round)) out << noise_text(round) << "\n";
    out << std::format("{}: variant `{}` on {}  {}\n", detail.definition.name, round.variant, round.device,
                       configuration_text(round.configuration));
    for (const RoundCase& each : round.cases) {
        if (!each.configuration.empty())
            out << std::format("  on {}: {}\n", each.binding.name, configuration_text(each.configuration));
    }
    print_verification(out, detail.verification);
    for (const BenchResult& timing : detail.timings) {
        const auto summary = std::ranges::find(round.cases, timing.binding, &RoundCase::binding);
        if (summary != round.cases.end()) print_timing(out, timing, *summary);
    }
    const MarkdownTable builds = build_table(detail, Phrases(Tongue::english));
    print_resources(out, {builds.header, builds.rows});
    out << (recorded ? "round " + std::to_string(round.number) : "round not recorded") << ": "
        << to_string(round.status);
    if (round.status != Status::ok) out << ": " << first_line(round.reason.text());
    else
        out << std::format(", target {:.2f}× {}", round.target_speedup,
                           round.target_reached ? "reached" : "not reached");
    out << "\n";
    print_applied(out, round);
}

nlohmann::ordered_json round_document(const RoundDetail& detail, bool recorded) {
    nlohmann::ordered_json document = to_json(detail.round);
    document["recorded"] = recorded;
    document["noisy"] = is_noisy(detail.round);
    document["environment"] = to_json(detail.environment);
    document["verification"] = to_json(detail.verification);
    document["baseline_builds"] = to_json(detail.baseline_builds);
    if (detail.explanation) document["explanation"] = to_json(*detail.explanation);
    document["timings"] = nlohmann::ordered_json::array();
    for (const BenchResult& timing : detail.timings) {
        nlohmann::json summary = to_json(timing);
        summary.erase("candidate_seconds");
        summary.erase("baseline_seconds");
        document["timings"].push_back(nlohmann::ordered_json(summary));
    }
    return document;
}

}  // namespace kernelgen::cli
