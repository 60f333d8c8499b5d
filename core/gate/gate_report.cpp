// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <format>

#include "core/base/text.h"
#include "core/report/markdown.h"

namespace kernelgen {
namespace {

std::string xml(std::string_view text) {
    std::string escaped;
    for (const char each : text) {
        switch (each) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += static_cast<unsigned char>(each) < 0x20 ? ' ' : each;
        }
    }
    return escaped;
}

/// Escapes a text for GitHub's workflow commands: no newlines, no bare percent signs; in properties no commas and
/// colons.
std::string annotation(std::string_view text, bool property = false) {
    std::string escaped;
    for (const char each : text) {
        const bool special = each == '%' || each == '\n' || each == '\r' || (property && (each == ',' || each == ':'));
        if (special) escaped += std::format("%{:02X}", static_cast<unsigned char>(each));
        else escaped += each;
    }
    return escaped;
}

std::string title_of(const GateCheck& check) {
    return std::format("{}: {} on {}", check.project, check.variant, check.device);
}

std::string message_of(const GatedCase& checked) {
    std::string message = verdict_text(checked) + ": " + checked_text(checked);
    if (checked.less_accurate()) message += "; " + accuracy_text(checked);
    return message;
}

bool counts_as_failure(const GatedCase& checked, bool strict) {
    return is_worse(checked) || (strict && checked.verdict == Verdict::ambiguous);
}

std::string junit_case(const GateCheck& check, const GatedCase& checked, bool strict) {
    std::string inner;
    if (check.status != Status::ok) {
        inner = std::format("<error message=\"{}: {}\"/>", to_string(check.status), xml(check.reason.text()));
    } else if (counts_as_failure(checked, strict)) {
        inner = std::format("<failure message=\"{}\"/>", xml(message_of(checked)));
    } else if (checked.verdict == Verdict::ambiguous) {
        inner = std::format("<skipped message=\"{}\"/>", xml(message_of(checked)));
    }
    return std::format("    <testcase classname=\"{}\" name=\"{}\">{}<system-out>{}</system-out></testcase>\n",
                       xml(title_of(check)), xml(checked.binding.name), inner, xml(message_of(checked)));
}

std::string junit_suite(const GateCheck& check, bool strict) {
    const bool failed = check.status != Status::ok;
    const auto failures = std::ranges::count_if(
        check.cases, [&](const GatedCase& each) { return !failed && counts_as_failure(each, strict); });
    std::vector<GatedCase> cases = check.cases;
    if (cases.empty()) cases.push_back({.binding = {.name = "all cases"}});
    const auto skipped = std::ranges::count_if(cases, [&](const GatedCase& each) {
        return !failed && !counts_as_failure(each, strict) && each.verdict == Verdict::ambiguous;
    });
    std::string text = std::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
        "timestamp=\"{}\">\n",
        xml(title_of(check)), cases.size(), failures, failed ? cases.size() : 0, skipped, xml(check.time));
    for (const GatedCase& each : cases) text += junit_case(check, each, strict);
    return text + "  </testsuite>\n";
}

/// A bar of one character with eight levels, for a share of 0 to 1.
std::string_view bar(double share) {
    static constexpr std::array<std::string_view, 8> levels = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const auto level = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 7.99);
    return levels[level];
}

std::string trend_of(const Case& binding, std::span<const GateCheck> checks) {
    std::vector<double> ratios;
    Verdict last = Verdict::ambiguous;
    for (const GateCheck& check : checks) {
        for (const GatedCase& each : check.cases) {
            if (!is_same_case(each.binding, binding) || each.runs == 0) continue;
            ratios.push_back(each.ratio.median);
            last = each.verdict;
        }
    }
    if (ratios.empty()) return std::format("  {}: not timed yet\n", binding.name);
    const auto [least, most] = std::ranges::minmax(ratios);
    std::string line;
    for (const double each : ratios) line += bar(most > least ? (each - least) / (most - least) : 0.5);
    return std::format("  {}: {}  {:.3f}x to {:.3f}x, last {:.3f}x ({})\n", binding.name, line, least, most,
                       ratios.back(), to_string(last));
}

}  // namespace

std::string verdict_text(const GatedCase& checked) {
    const std::string verdict(to_string(checked.verdict));
    if (!checked.less_accurate()) return verdict;
    return checked.verdict == Verdict::same ? "less accurate" : verdict + " and less accurate";
}

std::string accuracy_text(const GatedCase& checked) {
    if (checked.runs == 0 && !checked.less_accurate()) return "";
    std::string text;
    for (const AccuracyMeasure& each : accuracy_measures()) {
        const bool is_told = text.empty() || std::ranges::contains(checked.worse_in, each.key);
        if (!is_told) continue;
        text +=
            std::format("{}{} {:.3g}", text.empty() ? "" : "; ", each.metric.title, checked.accuracy_now.*each.value);
        if (checked.accuracy_then) text += std::format(", {:.3g} before", (*checked.accuracy_then).*each.value);
    }
    return text;
}

std::string checked_text(const GatedCase& checked) {
    if (checked.runs == 0) return checked.reason.empty() ? "not timed" : checked.reason;
    return std::format("{:.3f}x [{:.3f}, {:.3f}], threshold {:.2g} % ({}), {} timing{}", checked.ratio.median,
                       checked.ratio.lower, checked.ratio.upper, checked.threshold.share * 100, checked.threshold.from,
                       checked.runs, checked.runs == 1 ? "" : "s");
}

std::string gate_markdown(std::span<const GateCheck> checks) {
    std::string text = heading(1, "Gate") +
                       paragraph("A ratio is the stored time over the present time: below 1 is slower than before.");
    for (const GateCheck& check : checks) {
        text += heading(2, as_prose(title_of(check)));
        if (!check.cases.empty())
            text += paragraph(std::format("Against round {}, {}.", check.round,
                                          check.archived ? "by stored numbers, which were measured at another time"
                                                         : "built again and timed in pairs"));
        if (check.status != Status::ok) text += paragraph("Status: " + in_code(to_string(check.status)));
        if (!check.reason.empty()) text += paragraph(as_prose(check.reason.text()));
        MarkdownTable table{{"case", "verdict", "ratio", "accuracy"}, {}};
        for (const GatedCase& each : check.cases)
            table.rows.push_back({each.binding.name, verdict_text(each), checked_text(each), accuracy_text(each)});
        text += to_markdown(table);
        if (!check.hint.empty()) text += paragraph(as_prose(check.hint.text()));
    }
    return text;
}

std::string gate_junit(std::span<const GateCheck> checks, bool strict) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kernelgen gate\">\n";
    for (const GateCheck& check : checks) text += junit_suite(check, strict);
    return text + "</testsuites>\n";
}

std::string gate_annotations(const GateCheck& check, const std::string& folder, bool strict) {
    const std::string file = check.source.empty() ? "project.json" : check.source;
    const std::string place = "file=" + annotation(folder + "/" + file, true);
    const auto line = [&](const char* level, const std::string& message) {
        return std::format("::{} {},title={}::{}\n", level, place, annotation(title_of(check), true),
                           annotation(message));
    };
    if (check.status != Status::ok) return line("error", std::format("{}: {}", to_string(check.status), check.reason));
    std::string text;
    for (const GatedCase& each : check.cases) {
        const std::string message = std::format("`{}` is {}", each.binding.name, message_of(each));
        if (counts_as_failure(each, strict)) text += line("error", message);
        else if (each.verdict == Verdict::ambiguous) text += line("warning", message);
        else if (each.verdict == Verdict::faster) text += line("notice", message);
    }
    return text;
}

std::string trend_text(std::span<const GateCheck> checks) {
    if (checks.empty()) return "  no check yet\n";
    std::vector<Case> cases;
    for (const GateCheck& check : checks) {
        for (const GatedCase& each : check.cases) {
            const auto is_it = [&](const Case& known) { return is_same_case(known, each.binding); };
            if (std::ranges::none_of(cases, is_it)) cases.push_back(each.binding);
        }
    }
    std::string text = std::format("  {} checks, {} to {}\n", checks.size(), checks.front().time, checks.back().time);
    for (const Case& each : cases) text += trend_of(each, checks);
    return text;
}

}  // namespace kernelgen
