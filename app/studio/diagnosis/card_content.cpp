// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/card_content.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/diagnosis/strategy_words.h"
#include "core/report/diagnosis_words.h"

namespace kernelgen::studio {

namespace {

struct CardWords {
    Q_DECLARE_TR_FUNCTIONS(CardWords)
};

constexpr double least_shown = 0.0005;  ///< a gain that three decimals tell from none

QString gainOf(const Finding& finding, const Phrases& say) {
    if (finding.kind == FindingKind::doubt) return CardWords::tr("doubt");
    if (!finding.most_gain) return CardWords::tr("gain not known");
    if (*finding.most_gain < 1 + least_shown) return CardWords::tr("nothing to gain");
    return CardWords::tr("up to %1×").arg(toQt(say.ratio(*finding.most_gain)));
}

CardContent contentOf(const Finding& finding, const Diagnosis& diagnosis, const RuleBook& book, const Phrases& say) {
    const FindingWords words = words_of(finding, diagnosis.evidence, book.rules, say);
    CardContent content{.rule = finding.rule,
                        .title = plain(words.title),
                        .gain = gainOf(finding, say),
                        .gain_tip = plain(words.gain),
                        .figures = {},
                        .why = plain(words.why),
                        .confidence = plain(words.confidence),
                        .confirm = plain(words.confirm),
                        .source = plain(words.source),
                        .where = finding.where,
                        .strategies = {}};
    for (const std::string& each : words.figures) content.figures << plain(each);
    return content;
}

CardStrategy strategyOf(const Proposal& proposal, std::size_t place) {
    return {.title = titleOfStrategy(proposal.strategy),
            .change = toQt(proposal.line),
            .expectation = expectationOf(proposal),
            .why = whyOfStrategy(proposal.strategy),
            .proposal = place};
}

/// The proposals that are shown: of each strategy only the most promising change, which comes first.
std::vector<std::size_t> onceEach(const std::vector<Proposal>& proposals) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        const auto is_same = [&](std::size_t each) { return proposals[each].strategy == proposals[i].strategy; };
        if (std::ranges::none_of(places, is_same)) places.push_back(i);
    }
    return places;
}

CardContent withoutFinding() {
    CardContent content;
    content.title = CardWords::tr("What can be tried besides");
    return content;
}

void addStrategies(std::vector<CardContent>& cards, const Proposals& proposals) {
    const auto card_of = [&](const std::string& rule) { return std::ranges::find(cards, rule, &CardContent::rule); };
    CardContent other = withoutFinding();
    for (const std::size_t place : onceEach(proposals.all)) {
        const Proposal& proposal = proposals.all[place];
        const auto card = proposal.finding.empty() ? cards.end() : card_of(proposal.finding);
        (card == cards.end() ? other : *card).strategies.push_back(strategyOf(proposal, place));
    }
    for (const Advice& each : proposals.advice) {
        const auto card = card_of(each.finding);
        if (card == cards.end()) continue;
        card->strategies.push_back({.title = titleOfStrategy(each.strategy),
                                    .change = {},
                                    .expectation = {},
                                    .why = whyOfStrategy(each.strategy)});
    }
    if (!other.strategies.empty()) cards.push_back(std::move(other));
}

}  // namespace

std::vector<CardContent> cardsOf(const FoundCauses& causes, std::size_t place, const FoundStrategies* strategies) {
    const Phrases say = windowPhrases();
    const Diagnosis& diagnosis = causes.cases[place];
    std::vector<CardContent> cards;
    for (const Finding& each : diagnosis.findings) cards.push_back(contentOf(each, diagnosis, causes.book, say));
    if (strategies != nullptr) addStrategies(cards, strategies->proposals);
    return cards;
}

QStringList remarksOf(const Diagnosis& diagnosis) {
    const Phrases say = windowPhrases();
    QStringList remarks;
    if (diagnosis.findings.empty()) remarks << plain(say(Text::finding_none));
    for (const LayoutAdvice& each : diagnosis.evidence.layouts) remarks << plain(words_of(each, say));
    return remarks;
}

QStringList missingOf(const Diagnosis& diagnosis) {
    QStringList missing;
    for (const std::string& each : words_of(diagnosis.missing, windowPhrases())) missing << plain(each);
    return missing;
}

}  // namespace kernelgen::studio
