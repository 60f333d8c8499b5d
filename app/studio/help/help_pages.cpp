// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/help/help_pages.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <map>

#include "app/studio/application/metric_words.h"
#include "app/studio/palette/commands_of_window.h"
#include "core/measure/metrics.h"

namespace kernelgen::studio {

namespace {

const QString folder_of_pages = QStringLiteral(":/guide/");

QString tell(const char* text) { return QCoreApplication::translate("HelpPages", text); }

/// The text of a cell in a table of Markdown.
QString cell(QString text) { return text.replace('|', QStringLiteral("\\|")).replace('\n', ' '); }

QString titleIn(const QString& markdown) {
    static const QRegularExpression first(QStringLiteral("^# (.+)$"), QRegularExpression::MultilineOption);
    return first.match(markdown).captured(1).remove('`');
}

HelpPage documentPage(const QString& name) {
    QFile file(folder_of_pages + name);
    if (!file.open(QIODevice::ReadOnly)) return {name, name, {}};
    const QString markdown = QString::fromUtf8(file.readAll());
    return {name, titleIn(markdown), markdown};
}

/// The guide in the interface's language. Links name the headings of the English one, which has the same in this order.
HelpPage guide() {
    const HelpPage english = documentPage(QStringLiteral("STUDIO.md"));
    if (QLocale().language() != QLocale::Chinese) return english;
    HelpPage chinese = documentPage(QStringLiteral("STUDIO.zh.md"));
    chinese.name = english.name;
    for (const HelpSection& each : sectionsOf(english)) chinese.anchors << each.anchor;
    return chinese;
}

HelpPage keysPage(QMainWindow& window) {
    const QString title = tell(QT_TRANSLATE_NOOP("HelpPages", "Keys"));
    QString text = "# " + title + "\n\n| " + tell(QT_TRANSLATE_NOOP("HelpPages", "Key")) + " | " +
                   tell(QT_TRANSLATE_NOOP("HelpPages", "Action")) + " | " +
                   tell(QT_TRANSLATE_NOOP("HelpPages", "Menu or panel")) + " |\n| --- | --- | --- |\n";
    for (const WindowCommand& each : commandsOf(window)) {
        if (!each.keys.isEmpty())
            text += "| " + cell(each.keys) + " | " + cell(each.name) + " | " + cell(each.place) + " |\n";
    }
    return {QStringLiteral("keys"), title, text};
}

HelpPage numbersPage() {
    const QString title = tell(QT_TRANSLATE_NOOP("HelpPages", "What each number means"));
    QString text = "# " + title + "\n\n| " + tell(QT_TRANSLATE_NOOP("HelpPages", "Number")) + " | " +
                   tell(QT_TRANSLATE_NOOP("HelpPages", "Unit")) + " | " +
                   tell(QT_TRANSLATE_NOOP("HelpPages", "Meaning")) + " |\n| --- | --- | --- |\n";
    for (const Metric& each : all_metrics)
        text += "| " + cell(titleOf(each)) + " | " + cell(unitOf(each)) + " | " + cell(meaningOf(each)) + " |\n";
    return {QStringLiteral("numbers"), title, text};
}

}  // namespace

std::vector<HelpPage> helpPages(QMainWindow& window) {
    std::vector<HelpPage> pages = {guide(), keysPage(window), numbersPage()};
    for (const QString& name : QDir(folder_of_pages).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        if (!name.startsWith(QLatin1String("STUDIO"))) pages.push_back(documentPage(name));
    }
    return pages;
}

/// As GitHub makes it: letters and digits in lower case, with a hyphen for each space.
QString anchorOf(const QString& heading) {
    QString anchor;
    for (const QChar each : heading.trimmed().toLower()) {
        if (each.isLetterOrNumber() || each == '-' || each == '_') anchor += each;
        else if (each == ' ') anchor += '-';
    }
    return anchor;
}

std::vector<HelpSection> sectionsOf(const HelpPage& page) {
    static const QRegularExpression heading(QStringLiteral("^#{1,4} (.+)$"));
    std::vector<HelpSection> sections;
    bool in_code = false;
    for (const QString& line : page.markdown.split('\n')) {
        if (line.startsWith(QLatin1String("```"))) in_code = !in_code;
        const QRegularExpressionMatch match = in_code ? QRegularExpressionMatch() : heading.match(line);
        if (match.hasMatch()) {
            const QString title = match.captured(1).remove('`');
            const auto index = static_cast<qsizetype>(sections.size());
            const QString anchor = index < page.anchors.size() ? page.anchors[index] : anchorOf(title);
            sections.push_back({page.name, title, anchor, {}});
        } else if (!sections.empty()) {
            sections.back().text += line + '\n';
        }
    }
    return sections;
}

std::vector<HelpSection> foundIn(const std::vector<HelpSection>& sections, const QString& words) {
    const QStringList wanted = words.split(' ', Qt::SkipEmptyParts);
    std::vector<HelpSection> found;
    if (wanted.isEmpty()) return found;
    const auto has = [](const QString& text, const QString& word) { return text.contains(word, Qt::CaseInsensitive); };
    for (const HelpSection& each : sections) {
        const bool has_all = std::ranges::all_of(
            wanted, [&](const QString& word) { return has(each.heading, word) || has(each.text, word); });
        if (has_all) found.push_back(each);
    }
    (void)std::ranges::stable_partition(found, [&](const HelpSection& each) {
        return std::ranges::any_of(wanted, [&](const QString& word) { return has(each.heading, word); });
    });
    return found;
}

QString helpPlaceOf(const QString& dock) {
    static const std::map<QString, QString> places = {{"", "STUDIO.md#the-main-job"},
                                                      {"operator", "STUDIO.md#the-main-job"},
                                                      {"tunables", "STUDIO.md#the-main-job"},
                                                      {"rounds", "STUDIO.md#rounds"},
                                                      {"queue", "STUDIO.md#queue"},
                                                      {"diagnosis", "STUDIO.md#diagnosis"},
                                                      {"tuning", "STUDIO.md#tuning"},
                                                      {"problems", "STUDIO.md#the-main-job"},
                                                      {"consistency", "STUDIO.md#the-four-files-of-an-operator"},
                                                      {"comparison", "STUDIO.md#the-main-job"},
                                                      {"run_log", "STUDIO.md#the-main-job"},
                                                      {"log_preview", "STUDIO.md#the-main-job"},
                                                      {"charts", "STUDIO.md#the-main-job"},
                                                      {"assembly", "STUDIO.md#assembly"},
                                                      {"gate", "STUDIO.md#gate"},
                                                      {"patterns", "STUDIO.md#patterns"},
                                                      {"whatif", "STUDIO.md#what-if"},
                                                      {"scaling", "STUDIO.md#fp8-scaling"},
                                                      {"model", "MODEL.md#in-the-window"}};
    const auto found = places.find(dock);
    return found == places.end() ? QString() : found->second;
}

}  // namespace kernelgen::studio
