// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/strategy_words.h"

#include <QCoreApplication>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "core/report/applied_words.h"
#include "core/strategy/catalogue.h"

namespace kernelgen::studio {

namespace {

struct StrategyWords {
    Q_DECLARE_TR_FUNCTIONS(StrategyWords)
};

bool isChinese() { return tongueOfInterface() == Tongue::chinese; }

}  // namespace

QString titleOfStrategy(const std::string& id) {
    const StrategyText* text = find_strategy_text(id);
    if (text == nullptr) return toQt(id);
    return toQt(isChinese() ? text->title_zh : text->title);
}

QString whyOfStrategy(const std::string& id) {
    const StrategyText* text = find_strategy_text(id);
    if (text == nullptr) return {};
    return toQt(isChinese() ? text->why_zh : text->why);
}

QString gainInWords(const Gain& gain) { return toQt(words_of(gain, windowPhrases())); }

QString expectationOf(const Proposal& proposal) {
    return StrategyWords::tr("expected %1, %2")
        .arg(gainInWords(proposal.expected), toQt(words_of(proposal.expected_from, windowPhrases())));
}

QString plain(const std::string& words) { return inWords(words).remove('`').remove(QStringLiteral("**")); }

}  // namespace kernelgen::studio
