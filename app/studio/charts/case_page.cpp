// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/case_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace kernelgen::studio {

CasePage::CasePage(QWidget* chart, QWidget* parent) : QWidget(parent) {
    cases_ = new QComboBox;
    cases_->setAccessibleName(tr("Case"));
    cases_->setToolTip(tr("The case that the chart shows"));
    cases_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    cases_->setMinimumContentsLength(12);
    label_ = new QLabel(tr("&Case"));
    label_->setBuddy(cases_);
    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(label_);
    row->addWidget(cases_, 1);
    bar_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(bar_);
    column->addWidget(chart, 1);
    connect(cases_, &QComboBox::activated, this, &CasePage::chosenChanged);
}

void CasePage::offer(const QStringList& names) {
    const QString before = cases_->currentText();
    cases_->clear();
    cases_->addItems(names);
    cases_->setCurrentIndex(names.isEmpty() ? -1 : std::max(0, static_cast<int>(names.indexOf(before))));
    bar_->setVisible(names.size() > 1);
}

void CasePage::setLabel(const QString& label, const QString& tip) {
    label_->setText(label);
    cases_->setAccessibleName(QString(label).remove('&'));
    cases_->setToolTip(tip);
}

int CasePage::chosen() const { return cases_->currentIndex(); }

}  // namespace kernelgen::studio
