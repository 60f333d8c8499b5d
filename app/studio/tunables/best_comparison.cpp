// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/best_comparison.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "core/round/best.h"

namespace kernelgen::studio {

const Round* bestRound(Session& session) {
    const Variant* variant = session.variant();
    if (variant == nullptr) return nullptr;
    return best_round(session.rounds().history(), session.document().project(), variant->name,
                      session.device().toStdString());
}

BestComparison::BestComparison(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), heading_(new QLabel), table_(new QTableWidget(0, 3)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(heading_);
    layout->addWidget(table_);
    heading_->setObjectName("best_heading");
    heading_->setWordWrap(true);
    heading_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(heading_, &QLabel::linkActivated, this,
            [this](const QString& number) { session_.selectRound(number.toInt()); });
    makeTable();
    refresh();
}

void BestComparison::makeTable() {
    table_->setObjectName("best_table");
    table_->setAccessibleName(tr("Tunables now and in the best round"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setTabKeyNavigation(false);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    table_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table_->horizontalHeader()->setHighlightSections(false);
}

void BestComparison::refresh() {
    const Variant* variant = session_.variant();
    const Round* best = bestRound(session_);
    table_->setVisible(best != nullptr && !variant->tunables.empty());
    if (best == nullptr) {
        heading_->setText(session_.adviceToRun(
            tr("No round of this variant is ok on %1 with the project's cases and baseline yet: F5 runs one")
                .arg(session_.device())));
        return;
    }
    const RoundCase* deciding = deciding_case(*best);
    const QString noise = noiseInWords(*deciding);
    const QString text = tr("Best is %1, with a speedup of %2 [%3, %4] in its slowest case, %5")
                             .arg(tr("<a href=\"%1\">round %1</a>").arg(best->number))
                             .arg((noise.isEmpty() ? "" : "≈ ") + QString::number(deciding->speedup, 'f', 3))
                             .arg(deciding->speedup_lower, 0, 'f', 2)
                             .arg(deciding->speedup_upper, 0, 'f', 2)
                             .arg(toQt(deciding->binding.name).toHtmlEscaped());
    heading_->setText(noise.isEmpty() ? text : text + "<br><i>" + noise + "</i>");
    table_->setHorizontalHeaderLabels({tr("Tunable"), tr("Now"), tr("Round %1").arg(best->number)});
    table_->setRowCount(static_cast<int>(variant->tunables.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        fillRow(row, variant->tunables[static_cast<std::size_t>(row)], *best);
    }
    table_->updateGeometry();
}

void BestComparison::fillRow(int row, const Tunable& tunable, const Round& best) {
    const auto found = best.configuration.find(tunable.name);
    const bool known = found != best.configuration.end();
    const bool differs = !known || found->second != tunable.value;
    const QStringList texts{toQt(tunable.name), QString::number(tunable.value),
                            known ? QString::number(found->second) : tr("not there")};
    for (int column = 0; column < 3; ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setToolTip(texts[column]);
        if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        QFont font = table_->font();
        font.setBold(differs);
        item->setFont(font);
        item->setFlags(Qt::ItemIsEnabled);
        table_->setItem(row, column, item);
    }
}

}  // namespace kernelgen::studio
