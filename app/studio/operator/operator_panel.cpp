// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/operator_panel.h"

#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/studio/application/text.h"
#include "app/studio/operator/analysis_view.h"
#include "app/studio/operator/definition_form.h"
#include "app/studio/operator/message_lines.h"
#include "app/studio/operator/quick_fixes.h"
#include "app/studio/operator/section.h"
#include "app/studio/theme/banner.h"
#include "core/files/sources.h"

namespace kernelgen::studio {

namespace {

/// Whether the generator would write other sources or launches than the project has.
bool areStale(const ProjectDocument& document) {
    if (document.body() == nullptr) return false;
    const Validated<Regenerated> fresh = regenerated(document.project(), document.texts(), false);
    return fresh && (!fresh->texts.empty() || fresh->variants != document.project().variants);
}

}  // namespace

OperatorPanel::OperatorPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      stale_(new Banner(Qt::Vertical)),
      scroll_(new QScrollArea),
      form_(new DefinitionForm(session.document(), DefinitionForm::Extent::whole)),
      analysis_(new AnalysisView(session, session.document())) {
    scroll_->setWidget(form_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* section = new Section(tr("Analysis"), analysis_);
    section->setOpen(true);
    section->setContentsMargins(6, 0, 6, 4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addWidget(scroll_, 1);
    auto* messages = new MessageLines(*form_);
    connect(messages, &MessageLines::clicked, this, &OperatorPanel::offerFixes);
    layout->addWidget(messages);
    layout->addWidget(stale_);  // below: it comes while somebody types, whose field must not move
    layout->addWidget(section);
    stale_->setObjectName("stale_banner");
    settle_.setSingleShot(true);
    settle_.setInterval(300);
    const auto begin = qOverload<>(&QTimer::start);
    connect(&settle_, &QTimer::timeout, this, &OperatorPanel::checkSources);
    connect(&session_.document(), &ProjectDocument::opened, &settle_, begin);
    connect(&session_.document(), &ProjectDocument::changed, &settle_, begin);
    connect(&session_.document(), &ProjectDocument::sourceEdited, &settle_, begin);
    connect(form_, &DefinitionForm::revealed, this, &OperatorPanel::reveal);
    settle_.start();
}

void OperatorPanel::checkSources() {
    if (!session_.document().isOpen() || !areStale(session_.document())) return stale_->hide();
    if (!stale_->isHidden()) return;
    stale_->ask(tr("The generated sources are of an older definition"),
                {{tr("Generate sources"), [this] { generate(); }}});
}

void OperatorPanel::generate() {
    const Validated<int> written = session_.document().regenerate(false);
    if (!written) session_.log().add(Severity::error, toQt(written.error()));
    checkSources();
}

void OperatorPanel::goTo(const QString& where) {
    if (!form_->goTo(where.toStdString())) scroll_->ensureVisible(0, 0);
}

/// The menu opens above the lines that tell of the errors.
bool OperatorPanel::offerFixes() {
    const std::vector<QuickFix> fixes = quickFixes(session_.document().project(), session_.document().diagnostics());
    if (fixes.empty()) return false;
    auto* menu = new QMenu(this);
    menu->setObjectName("quick_fixes");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QuickFix& each : fixes) {
        menu->addAction(each.title, this, [this, each] { session_.document().edit(each.title, each.apply); });
    }
    menu->setActiveAction(menu->actions().constFirst());
    const auto* lines = findChild<MessageLines*>();
    menu->popup(lines->mapToGlobal(QPoint(0, -menu->sizeHint().height())));
    return true;
}

/// Scrolls to a field. Its section may just have been opened: only a new layout knows where the field is.
void OperatorPanel::reveal(QWidget* field) {
    form_->layout()->activate();
    scroll_->widget()->resize(scroll_->widget()->width(), form_->sizeHint().height());
    scroll_->ensureWidgetVisible(field);
}

}  // namespace kernelgen::studio
