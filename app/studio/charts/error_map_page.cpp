// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/error_map_page.h"

#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/settings.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/case_page.h"
#include "app/studio/charts/causes_view.h"
#include "app/studio/charts/error_map_view.h"

namespace kernelgen::studio {

ErrorMapPage::ErrorMapPage(Settings& settings, QWidget* parent)
    : QWidget(parent), map_(new ErrorMapView), causes_(new CausesView), splitter_(new QSplitter(Qt::Horizontal)) {
    outputs_ = new CasePage(map_);
    outputs_->setLabel(tr("Out&put"), tr("The output that the map shows"));
    splitter_->addWidget(outputs_);
    splitter_->addWidget(causes_);
    splitter_->setChildrenCollapsible(false);
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 1);
    splitter_->setSizes({500, 500});
    splitter_->restoreState(settings.splitter("error_map"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(splitter_);
    connect(splitter_, &QSplitter::splitterMoved, this,
            [this, &settings] { settings.setSplitter("error_map", splitter_->saveState()); });
    connect(outputs_, &CasePage::chosenChanged, this, &ErrorMapPage::showChosen);
    connect(causes_, &CausesView::goToSource, this, &ErrorMapPage::goToSource);
}

void ErrorMapPage::showMessage(const QString& text) {
    detail_.reset();
    outputs_->offer({});
    causes_->clearCauses();
    causes_->hide();
    map_->showMessage(text);
}

void ErrorMapPage::present(std::shared_ptr<const RoundDetail> detail) {
    if (!detail->explanation) {
        return showMessage(
            tr("When a kernel's results are wrong, this shows where in the output, with the tiles over it, and what "
               "the likely causes are. This round's results were right, or its kernel did not run"));
    }
    detail_ = std::move(detail);
    QStringList names;
    for (const ErrorMap& each : detail_->explanation->maps) names << toQt(each.output);
    outputs_->offer(names);
    causes_->show();
    causes_->present(*detail_->explanation);
    showChosen();
}

void ErrorMapPage::showChosen() {
    const Explanation& explanation = *detail_->explanation;
    if (explanation.maps.empty()) {
        const bool is_by_chance = explanation.status == Status::nondeterministic || explanation.status == Status::ok;
        return map_->showMessage(
            is_by_chance ? tr("The results differ from run to run: when they were looked at, all were right")
                         : tr("The kernel ended before it left an output: there is nothing to map"));
    }
    const QString check = tr("%1, inputs %2").arg(toQt(explanation.binding.name), toQt(to_string(explanation.set)));
    map_->present(explanation.maps[static_cast<std::size_t>(std::max(0, outputs_->chosen()))], check);
}

}  // namespace kernelgen::studio
