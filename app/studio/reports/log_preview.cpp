// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/log_preview.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QtConcurrentRun>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/reports/log_document.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/files/sources.h"

namespace kernelgen::studio {

namespace {

constexpr int pause_ms = 250;

}  // namespace

LogPreview::LogPreview(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      page_(new QTextBrowser),
      language_(new QComboBox),
      note_(new QLabel),
      export_(new QPushButton(tr("Export"))) {
    page_->setFrameShape(QFrame::NoFrame);
    page_->setWordWrapMode(QTextOption::WordWrap);
    page_->setOpenLinks(false);
    page_->setAccessibleName(tr("Log preview"));
    makeBar();
    follow();
}

void LogPreview::makeBar() {
    language_->addItem(QStringLiteral("English"), static_cast<int>(Tongue::english));
    language_->addItem(QStringLiteral("简体中文"), static_cast<int>(Tongue::chinese));
    language_->setCurrentIndex(static_cast<int>(tongueOfInterface()));
    language_->setAccessibleName(tr("Language of the log"));
    language_->setToolTip(tr("Language of the log"));
    export_->setToolTip(tr("Write optimization_log.md with its charts"));
    export_->setIcon(icon("export", palette()));
    auto* bar = new QHBoxLayout;
    bar->addWidget(note_, 1);
    bar->addWidget(language_);
    bar->addWidget(export_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(bar);
    layout->addWidget(page_, 1);
}

void LogPreview::follow() {
    soon_.setSingleShot(true);
    soon_.setInterval(pause_ms);
    connect(&soon_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(language_, &QComboBox::currentIndexChanged, this, &LogPreview::outdate);
    connect(export_, &QPushButton::clicked, this, [this] { emit exportWanted(tongue()); });
    connect(&session_.rounds(), &RoundStore::changed, this, &LogPreview::outdate);
    connect(&session_.document(), &ProjectDocument::opened, this, &LogPreview::outdate);
    connect(&session_.document(), &ProjectDocument::changed, this, &LogPreview::outdate);
}

Tongue LogPreview::tongue() const { return static_cast<Tongue>(language_->currentData().toInt()); }

void LogPreview::outdate() {
    outdated_ = true;
    soon_.start();
}

void LogPreview::render() {
    if (!std::exchange(outdated_, false)) return;
    const bool open = session_.document().isOpen();
    export_->setEnabled(open);
    if (!open) return take(std::make_shared<QTextDocument>());
    const auto history = session_.rounds().sharedHistory();
    const std::size_t count = history->rounds.size();
    note_->setText(count > newest_rounds
                       ? tr("The newest %1 of %L2 rounds; the export has all").arg(newest_rounds).arg(count)
                       : QString());
    const auto make = [history, project = session_.document().project(), tongue = tongue(), colours = palette(),
                       font = page_->font(), gui = thread()] {
        const Result<Consistency> checked = check_consistency(project, source_texts(project));
        const std::string log = optimization_log(project, *history, Phrases(tongue, &windowWording(tongue)),
                                                 newest_rounds, {}, checked ? &*checked : nullptr);
        std::shared_ptr<QTextDocument> document = logDocument(toQt(log), colours, font);
        document->moveToThread(gui);
        return document;
    };
    const int asked = ++asked_;
    QtConcurrent::run(make).then(this, [this, asked](const std::shared_ptr<QTextDocument>& document) {
        if (asked == asked_) take(document);
    });
}

/// The same place of the page stays in sight.
void LogPreview::take(std::shared_ptr<QTextDocument> document) {
    const int place = page_->verticalScrollBar()->value();
    page_->setDocument(document.get());
    shown_ = std::move(document);
    page_->verticalScrollBar()->setValue(place);
    emit rendered();
}

/// Renders an outdated log when it is painted, since only then it is in sight. Behind the tab of another dock Qt calls
/// it visible, too.
void LogPreview::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    if (outdated_ && !soon_.isActive()) QMetaObject::invokeMethod(this, &LogPreview::render, Qt::QueuedConnection);
}

void LogPreview::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    export_->setIcon(icon("export", palette()));
    outdate();
}

}  // namespace kernelgen::studio
