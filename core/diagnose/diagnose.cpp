// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/diagnose.h"

#include <algorithm>
#include <functional>

#include "core/measure/metrics.h"
#include "core/round/best.h"

namespace kernelgen {

namespace {

bool applies(const Rule& rule, const Evidence& evidence) {
    const std::string language(to_string(evidence.language));
    return (rule.devices.empty() || std::ranges::contains(rule.devices, evidence.kind)) &&
           (rule.languages.empty() || std::ranges::contains(rule.languages, language));
}

/// The judge of rules over one case's evidence.
class Examination {
public:
    explicit Examination(const Evidence& evidence)
        : evidence_(evidence), known_([this](const std::string& name) { return evidence_.value(name); }) {}

    std::optional<Finding> finding_of(const Rule& rule) {
        bool holds = true;
        std::vector<const Formula*> unknown;
        for (const Formula& condition : rule.when) {
            const std::optional<double> told = condition.evaluate(known_);
            if (!told) unknown.push_back(&condition);
            else if (*told == 0) holds = false;
        }
        if (!holds) return std::nullopt;
        for (const Formula* each : unknown) note_missing(*each, rule);
        return unknown.empty() ? std::optional(make_finding(rule)) : std::nullopt;
    }

    std::vector<MissingEvidence> missing() const {
        std::vector<MissingEvidence> list;
        for (const auto& [name, rules] : asked_) {
            const auto reason = evidence_.missing.find(name);
            list.push_back({name, reason == evidence_.missing.end() ? "" : reason->second, rules});
        }
        return list;
    }

private:
    void note_missing(const Formula& condition, const Rule& rule) {
        for (const std::string& name : condition.names()) {
            if (evidence_.has(name) || evidence_.absent.contains(name)) continue;
            std::vector<std::string>& rules = asked_[name];
            if (!std::ranges::contains(rules, rule.id)) rules.push_back(rule.id);
        }
    }

    void add_figure(const std::string& name, std::optional<double> threshold, Finding& finding) const {
        const auto found = evidence_.values.find(name);
        if (found == evidence_.values.end() || std::ranges::contains(finding.figures, name, &FindingFigure::name))
            return;
        finding.figures.push_back({name, found->second.value, threshold, found->second.source});
    }

    /// The lines of the source that a condition's number comes from.
    void add_places(const std::string& name, Finding& finding) const {
        const auto found = evidence_.values.find(name);
        if (found == evidence_.values.end()) return;
        for (const SourcePlace& place : found->second.where) {
            if (!std::ranges::contains(finding.where, place)) finding.where.push_back(place);
        }
    }

    /// The first gain formula that has a value, at most the headroom; without a formula the headroom.
    void set_gain(const Rule& rule, Finding& finding) const {
        const std::optional<double> headroom = evidence_.value(metrics::headroom.name);
        std::optional<double> gain = rule.gain.empty() ? headroom : std::nullopt;
        for (const Formula& each : rule.gain) {
            if (gain = each.evaluate(known_); gain) break;
        }
        if (gain && headroom) gain = std::min(*gain, *headroom);
        if (gain) finding.most_gain = std::max(1.0, *gain);
        else finding.no_gain_reason = rule.gain.empty() ? metrics::headroom.name : unknown_of(rule.gain.front());
    }

    /// The first name of a formula that has no value.
    std::string unknown_of(const Formula& formula) const {
        const std::vector<std::string> names = formula.names();
        const auto unknown = std::ranges::find_if(names, [&](const std::string& each) { return !known_(each); });
        return unknown == names.end() ? formula.text() : *unknown;
    }

    Finding make_finding(const Rule& rule) const {
        Finding finding{.rule = rule.id,
                        .kind = rule.kind,
                        .confidence = rule.confidence,
                        .figures = {},
                        .most_gain = {},
                        .no_gain_reason = {},
                        .strategies = rule.strategies,
                        .where = {}};
        for (const Formula& condition : rule.when) {
            for (const auto& [name, limit] : condition.comparisons(known_)) {
                add_figure(name, limit, finding);
                add_places(name, finding);
            }
        }
        for (const std::string& name : rule.figures) add_figure(name, {}, finding);
        if (rule.kind != FindingKind::doubt) set_gain(rule, finding);
        return finding;
    }

    const Evidence& evidence_;
    const Formula::Lookup known_;
    std::map<std::string, std::vector<std::string>> asked_;
};

/// Leaves out causes that could gain next to nothing.
void drop_small(std::vector<Finding>& findings) {
    std::erase_if(findings, [](const Finding& each) {
        return each.kind == FindingKind::cause && each.most_gain.value_or(least_gain) < least_gain;
    });
}

/// Leaves out findings that others explain.
void drop_explained(std::vector<Finding>& findings, std::span<const Rule> rules) {
    std::vector<std::string> found;
    for (const Finding& each : findings) found.push_back(each.rule);
    std::erase_if(findings, [&](const Finding& each) {
        const Rule* rule = find_rule(rules, each.rule);
        return std::ranges::find_first_of(rule->unless, found) != rule->unless.end();
    });
}

/// Sorts findings: causes before bounds before doubts; the largest gain first; of equal gains the surer first, then in
/// the rules' order.
void sort_findings(std::vector<Finding>& findings) {
    std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
        if (a.kind != b.kind) return a.kind < b.kind;
        const double gain_a = a.most_gain.value_or(0), gain_b = b.most_gain.value_or(0);
        if (gain_a != gain_b) return gain_a > gain_b;
        return a.confidence < b.confidence;
    });
}

/// Notes the part of the headroom that the causes leave unexplained, as a ratio.
void put_unexplained(const std::vector<Finding>& findings, Evidence& evidence) {
    const auto headroom = evidence.values.find(metrics::headroom.name);
    if (headroom == evidence.values.end()) return;
    double explained = 1;
    for (const Finding& each : findings) {
        if (each.kind == FindingKind::cause) explained = std::max(explained, each.most_gain.value_or(1));
    }
    evidence.put(metrics::unexplained.name, std::max(1.0, headroom->second.value / explained),
                 EvidenceSource::roofline);
}

}  // namespace

Diagnosis diagnose(Evidence evidence, std::span<const Rule> rules) {
    Diagnosis diagnosis{.evidence = std::move(evidence), .findings = {}, .missing = {}};
    Examination examination(diagnosis.evidence);
    // Bounds are judged last: they may name what the causes leave unexplained.
    for (const FindingKind kind : {FindingKind::cause, FindingKind::doubt, FindingKind::bound}) {
        if (kind == FindingKind::bound) {
            drop_small(diagnosis.findings);
            drop_explained(diagnosis.findings, rules);
            put_unexplained(diagnosis.findings, diagnosis.evidence);
        }
        for (const Rule& rule : rules) {
            if (rule.kind != kind || !applies(rule, diagnosis.evidence)) continue;
            if (auto finding = examination.finding_of(rule)) diagnosis.findings.push_back(std::move(*finding));
        }
    }
    drop_explained(diagnosis.findings, rules);
    sort_findings(diagnosis.findings);
    diagnosis.missing = examination.missing();
    return diagnosis;
}

std::vector<Diagnosis> diagnose(const RoundDetail& detail, std::span<const Rule> rules) {
    std::vector<Diagnosis> diagnoses;
    for (const RoundCase* timed : timed_cases(detail.round))
        diagnoses.push_back(diagnose(evidence_of(detail, timed->binding), rules));
    return diagnoses;
}

}  // namespace kernelgen
