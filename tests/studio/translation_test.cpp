// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QTest>
#include <QXmlStreamReader>
#include <algorithm>
#include <array>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/status_words.h"
#include "app/studio/charts/reference_round.h"
#include "app/studio/rounds/rounds_model.h"
#include "app/studio/session/session.h"
#include "app/studio/window/main_window.h"
#include "app/studio/window/menus.h"
#include "app/studio/window/project_files.h"
#include "core/base/cause_sentences.h"
#include "core/base/checklist_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/base/sentences.h"
#include "core/base/tuning_sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/measure/device_lock.h"
#include "core/said/said.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;

class TranslationTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup();
    void everyTextIsTranslated();
    void placeholdersAreThoseOfTheSource();
    void aTextWithALetterToPressKeepsOne();
    void menusDocksAndButtonsAreInChinese();
    void labelsAndHintsAreInChinese();
    void reasonsOfTheEngineAreInChinese();
    void statusesAreInChinese();
    void noReasonAdvisesTheCommandLine();
    void theWindowsOwnSentencesAreThoseOfTheEngine();
    void theTimeOfARoundIsNoDuration();
    void stagesOfARunAreInChinese();
    void countsAreInTheGrammarOfEnglish();
    void anotherLanguageIsEnglish();
};

namespace {

struct Message {
    QString context, source, translation;
    bool finished = true;
};

QList<Message> messagesOf(const QString& file) {
    QFile ts(QStringLiteral(KERNELGEN_SOURCE_DIR "/app/studio/translations/") + file);
    if (!ts.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&ts);
    QList<Message> messages;
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == u"name") context = xml.readElementText();
        if (xml.name() == u"message") messages << Message{context, {}, {}, true};
        if (xml.name() == u"source") messages.back().source = xml.readElementText();
        if (xml.name() != u"translation") continue;
        messages.back().finished = !xml.attributes().hasAttribute("type");
        messages.back().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
    }
    return messages;
}

/// "%1", "%L2", "%n"
QSet<QString> placeholdersOf(const QString& text) {
    static const QRegularExpression placeholder("%L?(\\d+|n)");
    QSet<QString> found;
    for (const QRegularExpressionMatch& each : placeholder.globalMatch(text)) found << each.captured();
    return found;
}

qsizetype lettersToPress(const QString& text) {
    static const QRegularExpression letter("&\\w");
    return text.count(letter);
}

bool isChinese(const QString& text) {
    static const QRegularExpression han("\\p{Han}");
    return text.contains(han);
}

/// Names and units that are the same in every language.
bool isName(QString text) {
    static const QStringList names{
        "English",          "Aa", "Roofline", "cpu", "host", "bias_add.cpp", "bias_add_naive.cpp", "bias_add.cu",
        "bias_add_naive.cu"};
    text.remove('&');
    return text.isEmpty() || names.contains(text) || !text.contains(QRegularExpression("[A-Za-z]{2}"));
}

/// Words in a row: neither a name nor Chinese.
bool isEnglish(const QString& text) {
    static const QRegularExpression words("\\b[A-Za-z][a-z]+ [a-z]{2,}\\b"), markup("<[^>]*>");
    return !isChinese(text) && QString(text).remove(markup).contains(words);
}

void addTexts(QStringList& texts, const QMenu* menu) {
    for (const QAction* action : menu->actions()) {
        texts << action->text() << action->toolTip() << action->statusTip();
        if (action->menu() != nullptr) addTexts(texts, action->menu());
    }
}

}  // namespace

void TranslationTest::cleanup() { QLocale::setDefault(QLocale::c()); }

void TranslationTest::everyTextIsTranslated() {
    const QList<Message> messages = messagesOf("studio_zh_CN.ts");
    QVERIFY(messages.size() > 300);
    for (const Message& each : messages) {
        QVERIFY2(each.finished && !each.translation.isEmpty(), qPrintable(each.context + ": " + each.source));
    }
}

void TranslationTest::placeholdersAreThoseOfTheSource() {
    for (const char* file : {"studio_zh_CN.ts", "studio_en.ts"}) {
        for (const Message& each : messagesOf(file)) {
            QVERIFY2(placeholdersOf(each.source) == placeholdersOf(each.translation), qPrintable(each.translation));
        }
    }
}

void TranslationTest::aTextWithALetterToPressKeepsOne() {
    for (const Message& each : messagesOf("studio_zh_CN.ts")) {
        QVERIFY2(lettersToPress(each.source) == lettersToPress(each.translation), qPrintable(each.translation));
    }
}

void TranslationTest::menusDocksAndButtonsAreInChinese() {
    const Language chinese("zh_CN");
    Studio studio;
    studio.open();
    const MainWindow window(studio.session());
    QStringList texts;
    for (const QAction* top : window.menuBar()->actions()) {
        texts << top->text();
        addTexts(texts, top->menu());
    }
    QVERIFY(texts.size() > 100);
    for (const QDockWidget* each : window.findChildren<QDockWidget*>()) texts << each->windowTitle();
    for (const QAbstractButton* each : window.findChildren<QAbstractButton*>()) {
        if (each->metaObject()->className() != QLatin1String("QDockWidgetTitleButton")) texts << each->text();
    }
    for (const QTabBar* each : window.findChildren<QTabBar*>()) {
        for (int i = 0; i < each->count(); ++i) texts << each->tabText(i);
    }
    for (const QString& each : texts) QVERIFY2(isChinese(each) || isName(each), qPrintable(each));
}

void TranslationTest::labelsAndHintsAreInChinese() {
    const Language chinese("zh_CN");
    for (const char* sample : {"", "bias_add"}) {
        Studio studio(sample);
        if (*sample != '\0') studio.open();
        const MainWindow window(studio.session());
        QStringList texts;
        for (const QWidget* each : window.findChildren<QWidget*>()) texts << each->toolTip() << each->accessibleName();
        for (const QLabel* each : window.findChildren<QLabel*>()) texts << each->text();
        for (const QLineEdit* each : window.findChildren<QLineEdit*>()) texts << each->placeholderText();
        for (const QComboBox* each : window.findChildren<QComboBox*>()) {
            for (int i = 0; i < each->count(); ++i) texts << each->itemText(i);
        }
        for (const QString& each : texts) QVERIFY2(!isEnglish(each), qPrintable(each));
    }
}

void TranslationTest::reasonsOfTheEngineAreInChinese() {
    const Language chinese("zh_CN");
    QVERIFY(isChinese(inWords(sentences::input_modified)));
    QVERIFY(isChinese(inWords("4096x4096 f32: " + std::string(sentences::ceilings_again))));
    QCOMPARE(inWords("undefined reference to `main`"), "undefined reference to `main`");
}

void TranslationTest::statusesAreInChinese() {
    const Language chinese("zh_CN");
    for (int i = 0; i <= static_cast<int>(Status::cancelled); ++i)
        QVERIFY2(isChinese(word(static_cast<Status>(i))), qPrintable(word(static_cast<Status>(i))));
    CaseAccuracy accuracy;
    accuracy.binding.name = "small";
    accuracy.status = Status::mismatch;
    QVERIFY2(checkText(accuracy).contains(word(Status::mismatch)), qPrintable(checkText(accuracy)));
}

void TranslationTest::noReasonAdvisesTheCommandLine() {
    constexpr std::pair<std::string_view, std::string_view> reasons[] = {
#define SENTENCE(name, chinese) {#name, sentences::name},
#define SAID(id, english, chinese) {#id, english},
#include "core/said/said_in_place.def"
#include "core/said/sentences.def"
#undef SENTENCE
#undef SAID
    };
    // What a factor, a file or a measurement of `kernelgen whatif` is refused for.
    constexpr std::string_view of_the_command_line[] = {
        "whatif_no_model_to_build", "whatif_not_capped",     "whatif_no_other_flops", "whatif_no_resource",
        "whatif_only_less",         "whatif_blocks_unknown", "whatif_no_model"};
    // The window never gives --no-counters, and NVRTC and cuDNN are found by variables alone.
    static const QRegularExpression command(
        "`?kernelgen (?!that|builds)[a-z]|--(?!no-counters|maxrregcount)[a-z]|KERNELGEN_(PY|CXX)|\\bpip\\b");
    for (const char* code : {"en", "zh_CN"}) {
        const Language language(code);
        for (const auto& [id, reason] : reasons) {
            if (std::ranges::contains(of_the_command_line, id)) continue;
            QVERIFY2(!inWords(reason).contains(command), qPrintable(inWords(reason)));
        }
    }
}

/// They take as many arguments as the engine's, or name which they take.
void TranslationTest::theWindowsOwnSentencesAreThoseOfTheEngine() {
    constexpr std::array<std::string_view, 3> own[] = {
#define IN_WINDOW(id, english, chinese) {#id, english, chinese},
#define TEXT_IN_WINDOW(key, english, chinese)
#include "app/studio/application/window_sentences.def"
#undef TEXT_IN_WINDOW
#undef IN_WINDOW
    };
    const auto places = [](std::string_view format) { return std::ranges::count(format, '{'); };
    for (const auto& [id, in_english, in_chinese] : own) {
        const auto place = place_of_sentence(id);
        QVERIFY2(place, id.data());
        for (const std::string_view format : {in_english, in_chinese})
            QVERIFY2(
                format.contains("{0}") || places(format) == 0 || places(format) == places(english_formats()[*place]),
                format.data());
    }
}

void TranslationTest::theTimeOfARoundIsNoDuration() {
    const Language chinese("zh_CN");
    QCOMPARE(RoundsModel().headerData(RoundsModel::Time, Qt::Horizontal, Qt::DisplayRole).toString(), "时间");
}

void TranslationTest::stagesOfARunAreInChinese() {
    const Language chinese("zh_CN");
    QCOMPARE(stageInWords("bench 64x64"), "正在计时 64x64");
    const QString waits = QString::fromUtf8(waiting_for_lock.data(), qsizetype(waiting_for_lock.size())) + " bench";
    QVERIFY(stageInWords(waits).endsWith("正在计时"));
    QVERIFY(!isEnglish(stageInWords(waits + " 64x64")));
    QCOMPARE(stageInWords("across cases: bench 64x64"), "各测例间：正在计时 64x64");
}

void TranslationTest::countsAreInTheGrammarOfEnglish() {
    const Language english("en");
    QCOMPARE(ProjectFiles::tr("Wrote %1 with %n chart(s)", nullptr, 1).arg("a"), "Wrote a with 1 chart");
    QCOMPARE(ProjectFiles::tr("Wrote %1 with %n chart(s)", nullptr, 7).arg("a"), "Wrote a with 7 charts");
    QCOMPARE(Session::tr("Verification after %n check(s) in %1 s: %2", nullptr, 1).arg("2.0", "ok"),
             "Verification after 1 check in 2.0 s: ok");
}

void TranslationTest::anotherLanguageIsEnglish() {
    const Language french("fr_FR");
    QCOMPARE(Menus::tr("&File"), "&File");
    QCOMPARE(stageInWords("verify"), "Verifying");
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::TranslationTest)
#include "translation_test.moc"
