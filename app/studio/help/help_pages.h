// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

class QMainWindow;

namespace kernelgen::studio {

/// A part of a page of the help, from one heading to the next.
struct HelpSection {
    QString page;     ///< "STUDIO.md"
    QString heading;  ///< "The main job"
    QString anchor;   ///< "the-main-job", as links name it
    QString text;     ///< in Markdown, without the heading
};

/// A page of the help, in Markdown. It comes with the program.
struct HelpPage {
    QString name;   ///< "STUDIO.md"; "keys" and "numbers" of the pages that are made
    QString title;  ///< of its first heading
    QString markdown;
    QStringList anchors{};  ///< of its headings, where these are not the headings' own: of a translation
};

/// The guide, the keys of a window, what each number means, then the other documents.
std::vector<HelpPage> helpPages(QMainWindow& window);

/// "the-four-files" of "The four files": how a heading is named in links.
QString anchorOf(const QString& heading);

/// In their order; headings of the first four levels begin one each.
std::vector<HelpSection> sectionsOf(const HelpPage& page);

/// The sections that have all these words, those with a word in their heading first.
std::vector<HelpSection> foundIn(const std::vector<HelpSection>& sections, const QString& words);

/// Where the help tells of a panel or window, by the name of its dock or window ("tuning"); "" for the middle:
/// "STUDIO.md#tuning". "" where it tells nothing of it.
QString helpPlaceOf(const QString& dock);

}  // namespace kernelgen::studio
