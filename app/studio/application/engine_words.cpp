// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/engine_words.h"

#include <QCoreApplication>

#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "core/measure/device_lock.h"
#include "core/report/sentences.h"

namespace kernelgen::studio {

namespace {

struct EngineWords {
    Q_DECLARE_TR_FUNCTIONS(EngineWords)
};

QString nameOfStage(const QString& stage) {
    if (stage == "build") return EngineWords::tr("Building");
    if (stage == "verify") return EngineWords::tr("Verifying");
    if (stage == "bench") return EngineWords::tr("Timing");
    if (stage == "ceilings") return EngineWords::tr("Measuring ceilings");
    return stage;
}

}  // namespace

QString inWords(std::string_view sentence) { return toQt(in_tongue(sentence, tongueOfInterface())); }

QString stageInWords(const QString& stage) {
    const QString waiting = toQt(waiting_for_lock) + ' ';
    if (stage.startsWith(waiting)) {
        return EngineWords::tr("Waiting for another kernelgen that builds or measures: %1")
            .arg(stageInWords(stage.mid(waiting.size())));
    }
    const QString first = stage.section(' ', 0, 0);
    if (first.endsWith(':')) return first + ' ' + stageInWords(stage.mid(first.size() + 1));  // a variant's
    return (nameOfStage(stage.section(' ', 0, 0)) + ' ' + stage.section(' ', 1)).trimmed();
}

}  // namespace kernelgen::studio
