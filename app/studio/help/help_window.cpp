// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/help/help_window.h"

#include <QDesktopServices>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace kernelgen::studio {

HelpWindow::HelpWindow(QMainWindow& window)
    : QDialog(&window),
      pages_(helpPages(window)),
      words_(new QLineEdit),
      list_(new QListWidget),
      text_(new QTextBrowser),
      told_(new QLabel) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowFlags(Qt::Window);
    setObjectName("help");
    setWindowTitle(tr("Help"));
    resize(1080, 680);
    for (const HelpPage& each : pages_) std::ranges::move(sectionsOf(each), std::back_inserter(sections_));
    nameWidgets();
    placeWidgets();
    connect(words_, &QLineEdit::textChanged, this, &HelpWindow::fillList);
    connect(words_, &QLineEdit::returnPressed, this, [this] {
        list_->setCurrentRow(0);
        list_->setFocus(Qt::OtherFocusReason);
    });
    connect(list_, &QListWidget::currentRowChanged, this, &HelpWindow::chooseRow);
    connect(text_, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);
    fillList();
}

void HelpWindow::nameWidgets() {
    words_->setObjectName("help_words");
    words_->setAccessibleName(tr("Search the help"));
    words_->setPlaceholderText(tr("Search the help"));
    words_->setClearButtonEnabled(true);
    list_->setObjectName("help_list");
    list_->setAccessibleName(tr("Pages"));
    list_->setWordWrap(true);
    text_->setObjectName("help_text");
    text_->setAccessibleName(tr("Help"));
    text_->setOpenLinks(false);
    told_->setObjectName("help_told");
    told_->setWordWrap(true);
    told_->hide();
}

void HelpWindow::placeWidgets() {
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(words_);
    column->addWidget(list_, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(left);
    splitter->addWidget(text_);
    splitter->setSizes({300, 780});
    splitter->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter, 1);
    layout->addWidget(told_);
}

/// All pages or, where something is looked for, the sections that have it.
void HelpWindow::fillList() {
    const QSignalBlocker quiet(list_);
    told_->hide();
    list_->clear();
    places_.clear();
    const auto add = [this](const QString& text, const QString& place) {
        list_->addItem(text);
        places_.push_back(place);
    };
    const auto titleOf = [this](const QString& page) {
        return std::ranges::find(pages_, page, &HelpPage::name)->title;
    };
    if (words_->text().trimmed().isEmpty()) {
        for (const HelpPage& each : pages_) add(each.title, each.name);
        return list_->setCurrentRow(
            static_cast<int>(std::ranges::find(pages_, page_, &HelpPage::name) - pages_.begin()));
    }
    for (const HelpSection& each : foundIn(sections_, words_->text())) {
        const QString title = titleOf(each.page);
        add(title == each.heading ? title : title + "\n    " + each.heading, each.page + "#" + each.anchor);
    }
    told_->setText(tr("Nothing has all these words"));
    told_->setVisible(places_.empty());
}

void HelpWindow::chooseRow(int row) {
    if (row < 0 || row >= static_cast<int>(places_.size())) return;
    const QString& place = places_[static_cast<std::size_t>(row)];
    showPage(place.section('#', 0, 0), place.section('#', 1));
}

void HelpWindow::goTo(const QString& place) {
    words_->clear();
    showPage(place.section('#', 0, 0), place.section('#', 1));
    fillList();
}

void HelpWindow::showPage(const QString& name, const QString& anchor) {
    const auto page = std::ranges::find(pages_, name, &HelpPage::name);
    if (page == pages_.end()) {
        told_->setText(tr("%1 is not part of the help").arg(name));
        return told_->show();
    }
    told_->hide();
    if (page_ != name) text_->setMarkdown(page->markdown);
    page_ = name;
    scrollTo(anchor);
}

/// To the heading that the anchor names; to the page's beginning where there is none.
void HelpWindow::scrollTo(const QString& anchor) {
    int before = 0;  // headings
    bool found = false;
    for (const HelpSection& each : sections_) {
        if (each.page != page_ || found) continue;
        found = each.anchor == anchor;
        before += found ? 0 : 1;
    }
    QTextBlock heading = text_->document()->begin();
    for (QTextBlock each = heading; each.isValid() && found; each = each.next()) {
        const int level = each.blockFormat().headingLevel();
        if (level == 0 || level > 4 || before-- > 0) continue;
        heading = each;
        break;
    }
    text_->setTextCursor(QTextCursor(heading));
    text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->value() + text_->cursorRect().top() - 8);
}

/// A link of a page leads to another page or, where it is one of the web, to the browser.
void HelpWindow::follow(const QUrl& link) {
    if (!link.scheme().isEmpty()) {
        QDesktopServices::openUrl(link);
        return;
    }
    const QString name = link.path().section('/', -1);
    showPage(name.isEmpty() ? page_ : name, link.fragment());
}

}  // namespace kernelgen::studio
