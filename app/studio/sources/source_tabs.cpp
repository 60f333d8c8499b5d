// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/source_tabs.h"

#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <ranges>

#include "app/studio/application/text.h"
#include "app/studio/document/further_files.h"
#include "app/studio/document/source_sets.h"
#include "app/studio/sources/find_bar.h"
#include "app/studio/sources/line_bar.h"
#include "app/studio/sources/source_editor.h"
#include "app/studio/sources/syntax.h"

namespace kernelgen::studio {

namespace {

constexpr int most_further_tabs = 8;  ///< of a variant that are shown unasked; the list has all

/// What a file is in the project, a line for each; of one that is only included: by which variants.
QString rolesIn(const ProjectDocument& document, const std::string& file) {
    const QString roles = rolesOf(document.project(), file);
    if (!roles.isEmpty()) return roles;
    QStringList variants;
    for (const Variant& each : document.project().variants) {
        if (std::ranges::contains(document.furtherFiles().names(each), file)) variants << toQt(each.name);
    }
    return SourceTabs::tr("%1 is built of it").arg(variants.join(", "));
}

}  // namespace

SourceTabs::SourceTabs(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      notice_(new QLabel),
      tabs_(new QTabWidget),
      others_(new QToolButton),
      menu_(new QMenu(this)),
      find_bar_(new FindBar),
      line_bar_(new LineBar) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(notice_);
    layout->addWidget(tabs_, 1);
    layout->addWidget(line_bar_);
    layout->addWidget(find_bar_);
    notice_->setObjectName("source_notice");
    notice_->setWordWrap(true);
    notice_->setMargin(8);
    tabs_->setObjectName("sources");
    tabs_->setAccessibleName(tr("Sources"));
    tabs_->setDocumentMode(true);
    tabs_->setMovable(true);
    tabs_->setCornerWidget(others_);
    others_->setObjectName("other_sources");
    others_->setAccessibleName(tr("All sources"));
    others_->setToolTip(tr("All sources of the project"));
    others_->setAutoRaise(true);
    others_->setPopupMode(QToolButton::InstantPopup);
    others_->setMenu(menu_);
    connect(menu_, &QMenu::aboutToShow, this, &SourceTabs::fillMenu);
    connect(tabs_, &QTabWidget::currentChanged, this, &SourceTabs::takeCurrent);
    connect(line_bar_, &LineBar::chosen, this, [this](int line) { current()->goTo(line, 1); });
    connect(line_bar_, &LineBar::closed, this, [this] {
        if (current() != nullptr) current()->setFocus(Qt::OtherFocusReason);
    });
    connectSession();
    sourceSyntax();  // is there by the time that a project is opened
    refresh();
}

void SourceTabs::connectSession() {
    ProjectDocument& document = session_.document();
    connect(&document, &ProjectDocument::opened, this, &SourceTabs::refresh);
    connect(&document, &ProjectDocument::changed, this, &SourceTabs::refresh);
    connect(&document, &ProjectDocument::sourcesChanged, this, &SourceTabs::refresh);
    connect(&document, &ProjectDocument::modifiedChanged, this, &SourceTabs::refresh);
    connect(&session_, &Session::variantChanged, this, &SourceTabs::refresh);
    connect(&session_.messages(), &BuildMessages::changed, this, &SourceTabs::showMessages);
}

/// Closes the editors of files that are gone; the others keep their place and their cursor.
void SourceTabs::refresh() {
    const std::vector<SourceFile*> sources = session_.document().sources();
    for (int i = tabs_->count() - 1; i >= 0; --i) {
        if (std::ranges::find(sources, editor(i)->source()) == sources.end()) delete editor(i);
    }
    follow();
    for (SourceFile* each : sources) {
        if (each->document().isModified()) asked_.insert(each->name());
        const bool wanted = asked_.contains(each->name()) || std::ranges::contains(work_, each->name());
        if (wanted && tabOf(each->name()) < 0) addEditor(*each);
        if (const int tab = tabOf(each->name()); tab >= 0) tabs_->setTabVisible(tab, wanted);
    }
    tabs_->setVisible(tabs_->count() > 0);
    updateTabs();
    showVariant();
    showNotice();
}

/// Brings the files of the variant under work to the front. A variant without a source leaves those of the one before.
void SourceTabs::follow() {
    const ProjectDocument& document = session_.document();
    const Variant* variant = session_.variant();
    std::vector<std::string> files;
    if (variant != nullptr) {
        files = filesOfWork(document.project(), *variant, session_.device().toStdString());
        std::ranges::copy(document.furtherFiles().names(*variant) | std::views::take(most_further_tabs),
                          std::back_inserter(files));
    }
    const std::vector<SourceFile*> sources = document.sources();
    if (files.empty() && tabs_->count() == 0 && !sources.empty()) files = {sources.front()->name()};
    if (sources.empty()) work_.clear();
    if (files.empty() || files == work_) return;
    work_ = std::move(files);
    asked_.clear();
    for (const std::string& each : work_) {
        SourceFile* source = document.source(each);
        if (source != nullptr && tabOf(each) < 0) addEditor(*source);
    }
    arrange();
}

/// The files of the work first, in their order.
void SourceTabs::arrange() {
    int place = 0;
    for (const std::string& each : work_) {
        if (const int tab = tabOf(each); tab >= 0) tabs_->tabBar()->moveTab(tab, place++);
    }
}

void SourceTabs::bringUp(SourceFile& source) {
    if (!std::ranges::contains(work_, source.name())) asked_.insert(source.name());
    refresh();
    tabs_->setCurrentIndex(tabOf(source.name()));
}

/// All sources, each file once, under the first variant that has it.
void SourceTabs::fillMenu() {
    menu_->clear();
    ProjectDocument& document = session_.document();
    for (const Variant& variant : document.project().variants) {
        bool is_first = true;
        for (const std::string& file : document.filesOf(variant)) {
            SourceFile* source = document.source(file);
            if (source == nullptr || menu_->findChild<QAction*>(toQt(file)) != nullptr) continue;
            if (std::exchange(is_first, false)) menu_->addSection(toQt(variant.name));
            QAction* action = menu_->addAction(toQt(file), this, [this, source] { bringUp(*source); });
            action->setObjectName(toQt(file));
            action->setToolTip(rolesIn(document, file));
        }
    }
}

void SourceTabs::addEditor(SourceFile& source) {
    auto* editor = new SourceEditor(source, session_.document().undoStack());
    editor->zoomIn(zoom_);
    connect(editor, &SourceEditor::zoomAsked, this, &SourceTabs::zoom);
    connect(editor, &SourceEditor::changedByHistory, this, [this, editor] { bringUp(*editor->source()); });
    connect(editor, &QPlainTextEdit::cursorPositionChanged, this, [this, editor] { tellCursor(*editor); });
    tabs_->addTab(editor, toQt(source.name()));
    showMessages();
    applyLinked();
}

void SourceTabs::updateTabs() {
    for (int i = 0; i < tabs_->count(); ++i) {
        const SourceFile* source = editor(i)->source();
        if (source == nullptr) continue;
        const QString name = toQt(source->name());
        const bool modified = editor(i)->document()->isModified();
        editor(i)->setReadOnly(!source->problem().isEmpty());
        const QString roles = rolesIn(session_.document(), source->name());
        tabs_->setTabText(i, modified ? name + " ●" : name);
        tabs_->setTabToolTip(
            i, roles + "\n" + toQt(source->path().string()) + (modified ? "\n" + tr("Modified") : QString()));
    }
    int hidden = static_cast<int>(session_.document().sources().size());
    for (int i = 0; i < tabs_->count(); ++i) hidden -= tabs_->isTabVisible(i) ? 1 : 0;
    others_->setVisible(hidden > 0);
    others_->setText(tr("%n more", nullptr, hidden));
}

/// A newly chosen variant brings its source to the front.
void SourceTabs::showVariant() {
    const Variant* variant = session_.variant();
    const std::string name = variant == nullptr ? std::string() : variant->name;
    const int tab = variant == nullptr ? -1 : tabOf(variant->source);
    if (name == shown_variant_ || (tab < 0 && !name.empty() && !variant->source.empty())) return;
    shown_variant_ = name;
    if (tab >= 0) tabs_->setCurrentIndex(tab);
}

void SourceTabs::showNotice() {
    const Variant* variant = session_.variant();
    QString text;
    if (current() != nullptr && !current()->source()->problem().isEmpty()) {
        text = tr("This source cannot be read: %1").arg(current()->source()->problem());
    } else if (variant != nullptr && variant->language == Language::library) {
        text = tr("The variant %1 is %2 of the library %3: it has no source to edit.")
                   .arg(toQt(variant->name), toQt(variant->primitive), toQt(variant->library));
    } else if (session_.document().isOpen() && tabs_->count() == 0) {
        text = tr("No variant has a source. Generate sources from the definition with Run > Generate sources.");
    }
    notice_->setText(breakable(text));
    notice_->setVisible(!text.isEmpty());
    notice_->setAlignment(tabs_->count() == 0 ? Qt::AlignCenter : Qt::AlignLeft);
    static_cast<QVBoxLayout*>(layout())->setStretchFactor(notice_, tabs_->count() == 0 ? 1 : 0);
}

void SourceTabs::showMessages() {
    const std::vector<CompilerMessage> all = session_.messages().all();
    for (int i = 0; i < tabs_->count(); ++i) {
        if (editor(i)->source() == nullptr) continue;
        std::vector<CompilerMessage> own;
        for (const CompilerMessage& each : all) {
            if (each.file == editor(i)->source()->name()) own.push_back(each);
        }
        editor(i)->setMessages(own);
    }
}

void SourceTabs::takeCurrent() {
    find_bar_->setEditor(current());
    if (current() != nullptr && current()->source() != nullptr) showNotice();
}

void SourceTabs::goTo(const QString& file, int line, int column) {
    SourceFile* source = session_.document().source(file.toStdString());
    if (source == nullptr) return;
    bringUp(*source);
    current()->goTo(line, column);
    current()->setFocus(Qt::OtherFocusReason);
}

/// The cursor also moves where a text is set: only what a person does counts.
void SourceTabs::tellCursor(SourceEditor& editor) {
    if (editor.source() == nullptr || !editor.hasFocus()) return;
    const int line = editor.textCursor().blockNumber() + 1;
    editor.markLinked(line);
    emit cursorMoved(toQt(editor.source()->name()), line);
}

void SourceTabs::setLinked(std::map<std::string, std::map<int, int>> colours) {
    linked_ = std::move(colours);
    applyLinked();
}

void SourceTabs::applyLinked() {
    for (int i = 0; i < tabs_->count(); ++i) {
        const SourceFile* source = editor(i)->source();
        if (source == nullptr) continue;
        const auto colours = linked_.find(source->name());
        editor(i)->setLinked(colours == linked_.end() ? std::map<int, int>() : colours->second);
    }
}

void SourceTabs::showLinked(const QString& file, int line) {
    SourceFile* source = session_.document().source(file.toStdString());
    if (source == nullptr) return;
    bringUp(*source);
    for (int i = 0; i < tabs_->count(); ++i) editor(i)->markLinked(editor(i) == current() ? line : 0);
    current()->showLine(line);
}

void SourceTabs::find() { find_bar_->openFor(false); }

void SourceTabs::replace() { find_bar_->openFor(true); }

void SourceTabs::findNext() { find_bar_->findNext(); }

void SourceTabs::findPrevious() { find_bar_->findPrevious(); }

void SourceTabs::goToLine() {
    if (current() != nullptr) line_bar_->openFor(current()->textCursor().blockNumber() + 1, current()->blockCount());
}

void SourceTabs::chooseSource() {
    menu_->popup(others_->isVisible() ? others_->mapToGlobal(QPoint(0, others_->height()))
                                      : tabs_->mapToGlobal(QPoint(0, 0)));
}

void SourceTabs::zoom(int steps) {
    const int before = std::exchange(zoom_, std::clamp(zoom_ + steps, -6, 24));
    for (int i = 0; i < tabs_->count(); ++i) editor(i)->zoomAround(zoom_ - before);
}

int SourceTabs::tabOf(const std::string& file) const {
    for (int i = 0; i < tabs_->count(); ++i) {
        const SourceFile* source = editor(i)->source();
        if (source != nullptr && source->name() == file) return i;
    }
    return -1;
}

SourceEditor* SourceTabs::editor(int index) const { return static_cast<SourceEditor*>(tabs_->widget(index)); }

SourceEditor* SourceTabs::current() const { return editor(tabs_->currentIndex()); }

}  // namespace kernelgen::studio
