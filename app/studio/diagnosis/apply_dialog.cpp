// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/apply_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/studio/application/text.h"
#include "app/studio/diagnosis/strategy_words.h"
#include "app/studio/rounds/html_page.h"

namespace kernelgen::studio {

namespace {

QString asSentence(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

}  // namespace

ApplyDialog::ApplyDialog(const Proposal& proposal, const RoundDetail& before, QWidget* parent) : QDialog(parent) {
    setObjectName("apply_dialog");
    setWindowTitle(tr("Apply to round %1: %2").arg(before.round.number).arg(titleOfStrategy(proposal.strategy)));
    auto* what = new QLabel(
        tr("The next round is made with this change of %1. The file itself stays as it is: Restore (Ctrl+R) takes the "
           "round's text over when you want it. %2.")
            .arg(toQt(before.candidate.variant.source), asSentence(expectationOf(proposal))));
    what->setWordWrap(true);
    auto* page = new QTextBrowser;
    page->setObjectName("apply_difference");
    page->setAccessibleName(tr("Difference"));
    HtmlPage html(palette());
    html.difference(toQt(difference_of(proposal.change, before.candidate)));
    page->setHtml(html.take());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Apply | QDialogButtonBox::Cancel);
    connect(buttons->button(QDialogButtonBox::Apply), &QPushButton::clicked, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(what);
    column->addWidget(page, 1);
    column->addWidget(buttons);
    buttons->button(QDialogButtonBox::Apply)->setDefault(true);
    resize(760, 460);
}

}  // namespace kernelgen::studio
