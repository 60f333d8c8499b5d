// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/finding_card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "app/studio/application/text.h"
#include "app/studio/operator/section.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QString bold(const QString& text) { return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()); }

}  // namespace

FindingCard::FindingCard(const CardContent& content, QWidget* parent) : QFrame(parent), rule_(content.rule) {
    setObjectName("finding_card");
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(content.title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 5, 8, 5);
    column->setSpacing(3);
    addHead(column, content);
    if (!content.figures.isEmpty()) addMuted(column, content.figures.join(QStringLiteral("  ·  ")));
    addPlaces(column, content.where);
    for (const CardStrategy& each : content.strategies) addStrategy(column, each);
    if (!content.why.isEmpty()) addWhy(column, content);
    applyPalette();
}

QLabel* FindingCard::addText(QBoxLayout* layout, const QString& text, int stretch) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    layout->addWidget(label, stretch);
    return label;
}

QLabel* FindingCard::addMuted(QBoxLayout* layout, const QString& text, int stretch) {
    QLabel* label = addText(layout, text, stretch);
    muted_.push_back(label);
    return label;
}

void FindingCard::addHead(QBoxLayout* layout, const CardContent& content) {
    auto* line = new QHBoxLayout;
    addText(line, bold(content.title), 1)->setObjectName("finding_title");
    gain_ = new QLabel(bold(content.gain));
    gain_->setObjectName("finding_gain");
    gain_->setToolTip(content.gain_tip);
    line->addWidget(gain_, 0, Qt::AlignTop);
    layout->addLayout(line);
}

/// Links to the lines that the finding names.
void FindingCard::addPlaces(QBoxLayout* layout, const std::vector<SourcePlace>& places) {
    QStringList links;
    for (const SourcePlace& each : places) {
        const QString place = QStringLiteral("%1:%2").arg(toQt(each.file)).arg(each.line).toHtmlEscaped();
        links << QStringLiteral("<a href=\"%1\">%1</a>").arg(place);
    }
    if (links.isEmpty()) return;
    QLabel* label = addText(layout, links.join(", "));
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setAccessibleName(tr("Lines of the source"));
    connect(label, &QLabel::linkActivated, this, [this](const QString& link) {
        emit goToSource(link.section(':', 0, -2), link.section(':', -1).toInt(), 1);
    });
}

void FindingCard::addStrategy(QBoxLayout* layout, const CardStrategy& strategy) {
    auto* line = new QHBoxLayout;
    const QString text = strategy.proposal ? tr("%1: %2; %3")
                                                 .arg(bold(strategy.title), strategy.change.toHtmlEscaped(),
                                                      strategy.expectation.toHtmlEscaped())
                                           : tr("%1: %2").arg(bold(strategy.title), strategy.why.toHtmlEscaped());
    addText(line, text, 1)->setToolTip(strategy.why);
    auto* button = new QPushButton(strategy.proposal ? tr("Apply as next round") : tr("By hand"));
    button->setObjectName("apply");
    button->setAccessibleName(QStringLiteral("%1: %2").arg(button->text(), strategy.title));
    line->addWidget(button, 0, Qt::AlignTop);
    layout->addLayout(line);
    if (!strategy.proposal) {
        button->setEnabled(false);
        button->setToolTip(tr("No safe change of this source is known for it: a person must make it"));
        return;
    }
    buttons_.push_back({button, *strategy.proposal});
    connect(button, &QPushButton::clicked, this, [this, place = *strategy.proposal] { emit applyWanted(place); });
}

void FindingCard::addWhy(QBoxLayout* layout, const CardContent& content) {
    static const QRegularExpression colon("[:：]");
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(16, 0, 0, 0);
    column->setSpacing(3);
    addText(column, content.why);
    addText(column, tr("How sure: %1").arg(content.confidence));
    addText(column, tr("To confirm: %1").arg(content.confirm));
    addMuted(column, tr("Where the limits come from: %1").arg(content.source));
    why_ = new Section(tr("Why, and how sure (%1)").arg(content.confidence.section(colon, 0, 0)), body);
    layout->addWidget(why_);
}

bool FindingCard::isOpen() const { return why_ != nullptr && why_->isOpen(); }

void FindingCard::setOpen(bool open) {
    if (why_ != nullptr) why_->setOpen(open);
}

void FindingCard::explain(const std::function<QString(std::size_t proposal)>& obstacle) {
    for (const Button& each : buttons_) {
        const QString why = obstacle(each.proposal);
        each.button->setEnabled(why.isEmpty());
        each.button->setToolTip(why.isEmpty() ? tr("Change it so, verify, time it, and record a round") : why);
    }
}

void FindingCard::applyPalette() {
    QPalette own = palette();
    own.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    for (QLabel* each : muted_) each->setPalette(own);
    own.setColor(QPalette::WindowText, coloursOf(palette()).accent);
    gain_->setPalette(own);
}

void FindingCard::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && gain_ != nullptr) applyPalette();
}

}  // namespace kernelgen::studio
