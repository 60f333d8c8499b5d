// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "core/base/text.h"
#include "core/report/phrases.h"

namespace kernelgen::studio {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

}  // namespace

QString word(ChangeKind kind) { return kind == ChangeKind::first ? Words::tr("first") : toQt(windowPhrases()(kind)); }

QString word(const Difference& difference) {
    return toQt(windowPhrases()(difference.part, difference.name)).remove('`');
}

QString verdictOf(const Round& round) {
    if (round.status != Status::crashed) return word(round.status);
    static const QRegularExpression name("\\bSIG[A-Z]+\\b");
    const QString signal = name.match(toQt(round.reason)).captured();
    return signal.isEmpty() ? word(round.status) : word(round.status) + ": " + signal;
}

QString textOf(const Configuration& configuration) {
    std::string text;
    for (const auto& [name, value] : configuration) text += name + "=" + std::to_string(value) + " ";
    return toQt(trim(text));
}

}  // namespace kernelgen::studio
