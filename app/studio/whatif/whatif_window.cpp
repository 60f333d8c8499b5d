// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/whatif/whatif_window.h"

#include <QDoubleSpinBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <QtConcurrentRun>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/plain_table.h"
#include "app/studio/application/selectable.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/theme/theme.h"
#include "core/report/whatif_words.h"
#include "core/round/best.h"

namespace kernelgen::studio {

namespace {

constexpr double percent = 100, first_bandwidth = 70;
/// What is asked about here. A GPU's other resources need its device model, which only `kernelgen whatif` has.
constexpr Resource asked_resources[] = {Resource::bandwidth, Resource::threads};

Result<Residency> unknownResidency(const RoundDetail&, DType, const Factors&) { return fail("not asked here"); }

enum Column { Binding, Now, There, Between, Longer, BoundBy, TuningKeeps, column_count };

QLabel* makeLabel(const char* id) {
    auto* label = new QLabel;
    label->setObjectName(id);
    label->setWordWrap(true);
    makeSelectable(*label, Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

WhatifWindow::WhatifWindow(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      what_(makeLabel("whatif_what")),
      model_(makeLabel("whatif_model")),
      problem_(makeLabel("whatif_problem")),
      threads_(new QLabel),
      table_(new QTableWidget(0, column_count)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowFlags(Qt::Window);
    setObjectName("whatif");
    setWindowTitle(tr("What if"));
    resize(900, 420);
    makeTable();
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what_);
    layout->addWidget(makeShares());
    layout->addWidget(problem_);
    layout->addWidget(table_, 1);
    layout->addWidget(model_);
    connect(&answer_, &QFutureWatcherBase::finished, this, &WhatifWindow::take);
    connect(&session_, &Session::selectedRoundChanged, this, &WhatifWindow::read);
    connect(&session_.rounds(), &RoundStore::changed, this, &WhatifWindow::read);
    connect(&session_.document(), &ProjectDocument::opened, this, &WhatifWindow::read);
    applyPalette();
    read();
    shares_.at(Resource::bandwidth)->setFocus();
}

QWidget* WhatifWindow::makeShares() {
    auto* all = new QWidget;
    auto* line = new QHBoxLayout(all);
    line->setContentsMargins({});
    line->addWidget(new QLabel(tr("The other device has")));
    threads_->setObjectName("whatif_thread_count");
    for (const Resource resource : asked_resources) {
        const QString name = toQt(resource_words(resource, windowPhrases()));
        auto* share = new QDoubleSpinBox;
        share->setObjectName("whatif_" + toQt(to_string(resource)).replace(' ', '_'));
        share->setAccessibleName(name);
        share->setRange(least_factor * percent, most_factor * percent);
        share->setDecimals(1);
        share->setSingleStep(10);
        share->setSuffix(QStringLiteral(" %"));
        share->setValue(resource == Resource::bandwidth ? first_bandwidth : percent);
        auto* label = new QLabel(name);
        label->setBuddy(share);
        line->addWidget(share);
        line->addWidget(label);
        if (resource == Resource::threads) line->addWidget(threads_);
        line->addSpacing(fontMetrics().averageCharWidth() * 2);
        connect(share, &QDoubleSpinBox::valueChanged, this, &WhatifWindow::ask);
        shares_[resource] = share;
    }
    line->addStretch(1);
    return all;
}

void WhatifWindow::makeTable() {
    table_->setObjectName("whatif_table");
    table_->setAccessibleName(tr("Cases on the other device"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    makePlain(*table_);
    table_->verticalHeader()->hide();
    table_->setHorizontalHeaderLabels({tr("Case"), tr("Now"), tr("There"), tr("Between"), tr("Times as long"),
                                       tr("Bound by"), tr("Tuning could keep")});
    table_->horizontalHeaderItem(TuningKeeps)
        ->setToolTip(tr("The most of the present speed that a kernel tuned for that device can have, by its roofline"));
    table_->horizontalHeaderItem(Between)->setToolTip(
        tr("The interval covers three ways in which the parts of a call go together, what the model misses, and what "
           "two runs differ by"));
    const int character = fontMetrics().averageCharWidth();
    constexpr std::pair<int, int> widths[] = {{Binding, 22}, {Now, 12},    {There, 12},
                                              {Between, 24}, {Longer, 15}, {BoundBy, 32}};
    for (const auto& [column, characters] : widths) table_->setColumnWidth(column, characters * character);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

/// The selected round where it was timed; nothing: the newest that was.
std::optional<int> WhatifWindow::wantedRound() const {
    const std::optional<int> selected = session_.selectedRound();
    const Round* round = selected ? session_.rounds().round(*selected) : nullptr;
    return round != nullptr && !timed_cases(*round).empty() ? selected : std::nullopt;
}

Factors WhatifWindow::factors() const {
    Factors factors;
    for (const auto& [resource, share] : shares_) {
        if (share->isEnabled() && share->value() != percent) factors[resource] = share->value() / percent;
    }
    return factors;
}

void WhatifWindow::read() {
    base_.reset();
    offerResources(session_.device());
    ask();
}

/// Another thread answers: it reads the project's rounds, and the models of GPUs.
void WhatifWindow::ask() {
    if (!session_.document().isOpen()) {
        what_->setText(tr("Open a project: what would its kernel take on another device?"));
        return table_->setRowCount(0);
    }
    const auto job = [project = session_.document().project(), round = wantedRound(), base = base_,
                      factors = factors()]() -> Job {
        const auto read = base ? base : std::make_shared<const Result<ForecastBase>>(forecast_base(project, round));
        const auto predicted = [&]() -> Result<std::vector<CasePrediction>> {
            if (!*read) return std::unexpected(read->error());
            return predict_all(**read, {.factors = factors}, unknownResidency);
        };
        return std::make_shared<const Answer>(Answer{read, predicted()});
    };
    answer_.setFuture(QtConcurrent::run(job));
}

void WhatifWindow::take() {
    const Job answer = answer_.result();
    const bool is_new = base_ == nullptr;
    base_ = answer->base;
    if (*base_) {
        const Round& round = (*base_)->round.round;
        what_->setText(
            tr("Round %1: what would %2 take on a device that has another share of what %3 has? Nothing runs.")
                .arg(round.number)
                .arg(breakable(toQt(round.variant)), round.device.c_str()));
        model_->setText(toQt(model_words((*base_)->model, windowPhrases())));
        offerResources(toQt(round.device));
        if (is_new && runs_on_host(round.device) != runs_on_host(session_.device().toStdString())) return ask();
    } else {
        what_->setText(tr("What would a round's kernel take on another device?"));
        model_->clear();
    }
    showThreads();
    problem_->setVisible(!answer->cases);
    problem_->setText(answer->cases ? QString() : breakable(inWords(answer->cases.error().message)));
    table_->setRowCount(answer->cases ? static_cast<int>(answer->cases->size()) : 0);
    for (int row = 0; row < table_->rowCount(); ++row) fillRow(row, (*answer->cases)[static_cast<std::size_t>(row)]);
}

void WhatifWindow::fillRow(int row, const CasePrediction& predicted) {
    const QString texts[column_count] = {toQt(predicted.binding.name),
                                         secondsText(predicted.seconds),
                                         secondsText(predicted.likely),
                                         tr("%1 to %2").arg(secondsText(predicted.lower), secondsText(predicted.upper)),
                                         ratioText(predicted.slow_down()),
                                         toQt(limit_words(predicted.binds_then, windowPhrases())),
                                         percentText(predicted.most_back())};
    for (int column = 0; column < column_count; ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setToolTip(texts[column]);
        item->setFlags(Qt::ItemIsEnabled);
        table_->setItem(row, column, item);
    }
}

/// A GPU has no share of threads here.
void WhatifWindow::offerResources(const QString& device) {
    const bool is_cpu = runs_on_host(device.toStdString());
    for (const auto& [resource, share] : shares_) {
        const bool has = is_cpu || resource == Resource::bandwidth;
        share->setEnabled(has);
        share->setToolTip(has ? tr("Of what the round's device has; 100 % is as much")
                              : tr("Of a GPU only the bandwidth is predicted here"));
    }
}

/// Threads are whole: a quarter of two is one.
void WhatifWindow::showThreads() {
    threads_->clear();
    if (!*base_ || (*base_)->samples.empty() || !runs_on_host((*base_)->round.round.device)) return;
    const int all = std::max(1, static_cast<int>((*base_)->samples.front().at_once));
    threads_->setText(tr("(%1 of %2)").arg(threads_with(factors(), all)).arg(all));
}

void WhatifWindow::applyPalette() {
    const auto paint = [](QLabel& label, const QColor& colour) {
        QPalette own = label.palette();
        own.setColor(QPalette::WindowText, colour);
        label.setPalette(own);
    };
    paint(*problem_, coloursOf(palette()).bad);
    paint(*model_, coloursOf(palette()).muted);
}

void WhatifWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
