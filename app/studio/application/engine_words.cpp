// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/engine_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "core/measure/device_lock.h"
#include "core/report/sentences.h"
#include "core/round/stop_reason.h"

namespace kernelgen::studio {

namespace {

struct EngineWords {
    Q_DECLARE_TR_FUNCTIONS(EngineWords)
};

/// What the command line is advised to do, in either tongue, and how the window does it. The longer come first.
QString withWindowAdvice(QString text) {
    const std::pair<QString, QString> ways[] = {
        {"set performance.baseline, or give --baseline", EngineWords::tr("choose one under Performance on the left")},
        {"请设置 performance.baseline，或使用 --baseline", EngineWords::tr("choose one under Performance on the left")},
        {"Choose another with --baseline or in performance.baseline",
         EngineWords::tr("Choose another under Performance on the left")},
        {"请用 --baseline 或 performance.baseline 选择其他基准",
         EngineWords::tr("Choose another under Performance on the left")},
        {"`kernelgen new` makes a project", EngineWords::tr("File > New project makes one")},
        {"`kernelgen devices`", EngineWords::tr("Device in the toolbar")},
        {"`kernelgen tune PROJECT --resume` goes on", EngineWords::tr("Continue in the Tuning tab goes on")},
        {"`kernelgen check --fix`", EngineWords::tr("Run > Bring in step")},
        {"`kernelgen model MODEL.py --project`", EngineWords::tr("Make a project of these calls")},
        {"kernelgen model MODEL.py --project", EngineWords::tr("Make a project of these calls")},
        {"`kernelgen tune`", QStringLiteral("F7")},
        {"`kernelgen roofline`", EngineWords::tr("The chart Roofline")},
        {"A run without `--no-counters` where the system permits hardware counters measures it",
         EngineWords::tr("A run where the system permits hardware counters measures it")},
        {"在允许硬件计数器的系统上不加 `--no-counters` 运行即可测得",
         EngineWords::tr("A run where the system permits hardware counters measures it")},
        {"`--budget`", EngineWords::tr("time budget (Performance on the left)")},
        {"`kernelgen run`", QStringLiteral("F5")},
        {", or replay the call with `kernelgen repro`", QString()},
        {"，或用 `kernelgen repro` 重放该调用", QString()},
        {"kernelgen run", EngineWords::tr("F5 runs")},
        {"`kernelgen verify`", QStringLiteral("Shift+F5")},
        {"kernelgen verify", QStringLiteral("Shift+F5")},
        {"`--device cuda:0`", EngineWords::tr("Device in the toolbar")},
        {"--device cuda:0", EngineWords::tr("Device in the toolbar")},
        {"--timeout", EngineWords::tr("Settings > Time limit of a call")},
        {"KERNELGEN_PYTHON", EngineWords::tr("Settings > Python")},
        {"KERNELGEN_CXX", EngineWords::tr("Settings > C++ compiler")}};
    static const QRegularExpression runOfAVariant("`?kernelgen run .+? --variant \\S+ --device [^\\s`]+`?");
    text.replace(runOfAVariant, QStringLiteral("F5"));
    for (const auto& [command, way] : ways) text.replace(command, way);
    return text;
}

QString nameOfStage(const QString& stage) {
    if (stage == "build") return EngineWords::tr("Building");
    if (stage == "verify") return EngineWords::tr("Verifying");
    if (stage == "bench") return EngineWords::tr("Timing");
    if (stage == "tune") return EngineWords::tr("Tuning");
    if (stage == "race") return EngineWords::tr("Racing");
    if (stage == "search") return EngineWords::tr("Searching");
    if (stage == "semifinal") return EngineWords::tr("Racing the best again");
    if (stage == "model") return EngineWords::tr("Measuring the model's operators");
    if (stage == "explain") return EngineWords::tr("Looking for why it is wrong");
    if (stage == "shrink") return EngineWords::tr("Looking for the smallest failing sizes");
    if (stage == "ceilings") return EngineWords::tr("Measuring ceilings");
    return stage;
}

}  // namespace

QString inWords(std::string_view sentence) { return withWindowAdvice(toQt(in_tongue(sentence, tongueOfInterface()))); }

QString inWords(const Diagnostics& diagnostics) { return withWindowAdvice(toQt(diagnostics)); }

bool asksForPython(std::string_view reason) {
    return reason.contains("KERNELGEN_PYTHON") || reason.contains("-m pip install");
}

QString stageInWords(const QString& stage) {
    const QString waiting = toQt(waiting_for_lock) + ' ';
    if (stage.startsWith(waiting)) {
        return EngineWords::tr("Waiting for another kernelgen that builds or measures: %1")
            .arg(stageInWords(stage.mid(waiting.size())));
    }
    if (stage.startsWith(QLatin1String("tuning "))) {  // of a case, within an optimization
        const QString step = stage.section(QStringLiteral(": "), -1);
        return EngineWords::tr("Tuning %1: %2")
            .arg(stage.section(QStringLiteral(": "), 0, -2).mid(7), nameOfStage(step));
    }
    const QString first = stage.section(' ', 0, 0);
    if (first.endsWith(':')) return first + ' ' + stageInWords(stage.mid(first.size() + 1));  // a variant's
    return (nameOfStage(stage.section(' ', 0, 0)) + ' ' + stage.section(' ', 1)).trimmed();
}

QString endingInWords(std::string_view id) {
    const auto found = std::ranges::find(all_stop_reasons, id, &StopReason::id);
    if (found == std::end(all_stop_reasons)) return toQt(id);
    return toQt(tongueOfInterface() == Tongue::chinese ? found->text_zh : found->text);
}

QString configurationText(const Configuration& configuration) {
    QStringList values;
    for (const auto& [name, value] : configuration) values << QStringLiteral("%1=%2").arg(toQt(name)).arg(value);
    return values.join(QChar(' '));
}

}  // namespace kernelgen::studio
