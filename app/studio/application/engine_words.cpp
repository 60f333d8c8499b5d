// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/engine_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/studio/application/language.h"
#include "app/studio/application/status_words.h"
#include "app/studio/application/text.h"
#include "core/measure/device_lock.h"
#include "core/report/sentences.h"
#include "core/round/stop_reason.h"
#include "core/said/said.h"

namespace kernelgen::studio {

namespace {

struct EngineWords {
    Q_DECLARE_TR_FUNCTIONS(EngineWords)
};

/// What the window says in place of a sentence or text that names a command.
struct OwnWords {
    std::string_view id, english, chinese;
};

constexpr OwnWords own_sentences[] = {
#define IN_WINDOW(id, english, chinese) {#id, english, chinese},
#define TEXT_IN_WINDOW(key, english, chinese)
#include "app/studio/application/window_sentences.def"
#undef TEXT_IN_WINDOW
#undef IN_WINDOW
};

Rewording makeWording(Tongue tongue) {
    const auto choose = [tongue](std::string_view english, std::string_view chinese) {
        return tongue == Tongue::english ? english : chinese;
    };
    const auto formats = formats_in(tongue);
    Rewording wording{.sentences = {formats.begin(), formats.end()}, .texts = {}};
    for (const OwnWords& each : own_sentences)
        wording.sentences[place_of_sentence(each.id).value()] = choose(each.english, each.chinese);
#define IN_WINDOW(id, english, chinese)
#define TEXT_IN_WINDOW(key, english, chinese) wording.texts[Text::key] = choose(english, chinese);
#include "app/studio/application/window_sentences.def"
#undef TEXT_IN_WINDOW
#undef IN_WINDOW
    return wording;
}

/// The sentences about an interpreter, PyTorch or Triton that is missing or too old.
constexpr std::string_view about_python[] = {"python_files_without_interpreter",
                                             "python_variants_need_interpreter",
                                             "python_no_answer",
                                             "python_unusable_saying",
                                             "python_unusable",
                                             "python_too_old",
                                             "python_files_unread_saying",
                                             "python_files_unread",
                                             "torch_without_cuda",
                                             "not_installed_for",
                                             "package_too_old",
                                             "with_install_advice"};

bool isAboutPython(const nlohmann::json& said) {
    if (!said.is_structured()) return false;
    if (said.is_object() && std::ranges::contains(about_python, said.at("id").get<std::string_view>())) return true;
    const nlohmann::json& parts = said.is_object() ? said.at("arguments") : said;
    return std::any_of(parts.begin(), parts.end(), isAboutPython);
}

/// Whether it is nothing more than that a stop was asked for.
bool saysOnlyCancelled(const Said& reason) {
    const nlohmann::json said = said_by(reason);
    return said.is_object() && std::ranges::contains(std::array{"cancelled", "cancelled_by_user"}, said.at("id"));
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

const Rewording& windowWording(Tongue tongue) {
    static const Rewording english = makeWording(Tongue::english), chinese = makeWording(Tongue::chinese);
    return tongue == Tongue::english ? english : chinese;
}

Phrases windowPhrases() { return Phrases(tongueOfInterface(), &windowWording(tongueOfInterface())); }

QString inWords(const Said& said) { return toQt(windowPhrases().of_engine(said)); }

QString inWords(const Diagnostic& diagnostic) {
    const QString message = inWords(diagnostic.message);
    return diagnostic.suggestion.empty() ? message
                                         : EngineWords::tr("%1; %2").arg(message, inWords(diagnostic.suggestion));
}

QString inWords(const Diagnostics& diagnostics) {
    const Phrases say = windowPhrases();
    Diagnostics told = diagnostics;
    for (Diagnostic& each : told) {
        if (each.where.starts_with("--")) each.where.clear();  // an option of the command line
        each.message = say.of_engine(each.message);
        each.suggestion = say.of_engine(each.suggestion);
    }
    return toQt(told);
}

QString inWords(Status status, const Said& reason) {
    if (reason.empty()) return word(status);
    if (status == Status::cancelled && saysOnlyCancelled(reason)) return inWords(reason);
    return EngineWords::tr("%1. %2").arg(word(status), inWords(reason));
}

bool asksForPython(const Said& reason) { return isAboutPython(said_by(reason)); }

bool asksForPython(const Diagnostics& diagnostics) {
    return std::ranges::any_of(diagnostics, [](const Diagnostic& each) {
        return asksForPython(each.message) || asksForPython(each.suggestion);
    });
}

QString stageInWords(const QString& stage) {
    const QString waiting = toQt(waiting_for_lock) + ' ';
    if (stage.startsWith(waiting)) {
        return EngineWords::tr("Waiting for another kernelgen that builds or measures: %1")
            .arg(stageInWords(stage.mid(waiting.size())));
    }
    const QString across = QStringLiteral("across cases: ");
    if (stage.startsWith(across))
        return EngineWords::tr("Across the cases: %1").arg(stageInWords(stage.mid(across.size())));
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
