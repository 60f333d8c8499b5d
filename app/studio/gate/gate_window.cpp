// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/gate/gate_window.h"

#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/plain_table.h"
#include "app/studio/application/text.h"
#include "app/studio/gate/trend_view.h"
#include "app/studio/rounds/words.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/gate/gate_words.h"

namespace kernelgen::studio {

namespace {

enum Column { Binding, VerdictOf, RatioOf, ThresholdOf, Timings, ErrorThen, ErrorNow, column_count };

void paint(QLabel& label, const QColor& colour) {
    QPalette own = label.palette();
    own.setColor(QPalette::WindowText, colour);
    label.setPalette(own);
}

QLabel* makeLabel(const char* id) {
    auto* label = new QLabel;
    label->setObjectName(id);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

GateWindow::GateWindow(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      stored_(makeLabel("gate_stored")),
      told_(makeLabel("gate_told")),
      verdict_(makeLabel("gate_verdict")),
      stage_(new ElidedLabel),
      threshold_(new QDoubleSpinBox),
      table_(new QTableWidget(0, column_count)),
      trend_(new TrendView) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowFlags(Qt::Window);
    setObjectName("gate");
    setWindowTitle(tr("Gate"));
    resize(980, 640);
    stage_->setObjectName("gate_stage");
    makeTable();
    auto* cases = new QWidget;
    auto* column = new QVBoxLayout(cases);
    column->setContentsMargins({});
    column->addWidget(verdict_);
    column->addWidget(table_, 1);
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(cases);
    parts->addWidget(trend_);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(stored_);
    layout->addWidget(makeActions());
    layout->addWidget(stage_);
    layout->addWidget(told_);
    layout->addWidget(parts, 1);
    connectSession();
    tell({});
    session_.gates().reload();
    refresh();
    record_->setFocus();
}

QPushButton* GateWindow::add(const QString& text, const char* id, void (GateWindow::*act)()) {
    auto* button = new QPushButton(text);
    button->setObjectName(id);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, act);
    return button;
}

QWidget* GateWindow::makeActions() {
    check_ = add(tr("Check"), "gate_check", &GateWindow::check);
    record_ = add(tr("Record a round"), "gate_record", &GateWindow::record);
    store_ = add(QString(), "gate_store", &GateWindow::storeSelected);
    keep_ = add(tr("Keep its thresholds"), "gate_keep", &GateWindow::keepThresholds);
    stop_ = add(tr("Stop"), "gate_stop", &GateWindow::stop);
    keep_->setToolTip(tr("The last check's thresholds, and 1.1 times its errors as limits, count from now on"));
    threshold_->setObjectName("gate_threshold");
    threshold_->setAccessibleName(tr("Threshold"));
    threshold_->setToolTip(
        tr("The smallest change that counts. By itself it is what is stored, or learned from earlier "
           "checks, or 1.5 %"));
    threshold_->setRange(0, 99);
    threshold_->setDecimals(1);
    threshold_->setSingleStep(0.5);
    threshold_->setSuffix(QStringLiteral(" %"));
    threshold_->setSpecialValueText(tr("by itself"));
    auto* actions = new QWidget;
    auto* line = new QHBoxLayout(actions);
    line->setContentsMargins({});
    line->addWidget(check_);
    line->addWidget(new QLabel(tr("Threshold")));
    line->addWidget(threshold_);
    line->addWidget(keep_);
    line->addStretch(1);
    line->addWidget(record_);
    line->addWidget(store_);
    line->addWidget(stop_);
    return actions;
}

void GateWindow::makeTable() {
    table_->setObjectName("gate_table");
    table_->setAccessibleName(tr("Cases of the check"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    makePlain(*table_);
    table_->verticalHeader()->hide();
    table_->setHorizontalHeaderLabels({tr("Case"), tr("Verdict"), tr("Stored time / time now, 95 %"), tr("Threshold"),
                                       tr("Timings"), tr("p99 abs. error then"), tr("now")});
    const int character = fontMetrics().averageCharWidth();
    constexpr std::pair<int, int> widths[] = {{Binding, 24},     {VerdictOf, 22}, {RatioOf, 30},
                                              {ThresholdOf, 20}, {Timings, 10},   {ErrorThen, 22}};
    for (const auto& [column, characters] : widths) table_->setColumnWidth(column, characters * character);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void GateWindow::connectSession() {
    connect(&session_.gates(), &Gates::changed, this, &GateWindow::refresh);
    connect(&session_.gates(), &Gates::told, this, &GateWindow::tell);
    connect(&session_.engine(), &Engine::gateFinished, this, [this](const GateEnd& end) {
        chosen_.reset();
        tell(end.problem);
        updateButtons();
    });
    connect(&session_, &Session::variantChanged, this, [this] {
        chosen_.reset();
        tell({});
    });
    connect(&session_, &Session::selectedRoundChanged, this, &GateWindow::updateButtons);
    connect(&session_, &Session::refused, this, [this](const QString& why) { tell(why); });
    connect(&session_.document(), &ProjectDocument::changed, this, &GateWindow::updateButtons);
    connect(&session_.engine(), &Engine::runningChanged, this, &GateWindow::updateButtons);
    connect(&session_.engine(), &Engine::devicesChanged, this, &GateWindow::updateButtons);
    connect(&session_.engine(), &Engine::runProgressed, stage_,
            [this](const QString& stage) { stage_->setText(stageInWords(stage)); });
    connect(trend_, &ChartView::rowClicked, this, [this](int check) {
        chosen_ = check;
        showCheck();
    });
}

void GateWindow::tell(const QString& message, bool is_problem) {
    told_problem_ = is_problem;
    told_->setText(message);
    told_->setVisible(!message.isEmpty());
    const Colours colours = coloursOf(palette());
    paint(*told_, is_problem ? colours.bad : colours.good);
}

void GateWindow::check() {
    tell({});
    const double percent = threshold_->value();
    session_.gateActions().check(percent > 0 ? std::optional(percent / 100) : std::nullopt);
}

void GateWindow::record() {
    tell({});
    session_.gateActions().record();
}

void GateWindow::storeSelected() {
    tell({});
    if (session_.selectedRound()) session_.gates().store(*session_.selectedRound());
}

void GateWindow::keepThresholds() { session_.gates().storeThresholds(); }

void GateWindow::stop() { session_.engine().stop(); }

void GateWindow::refresh() {
    stored_->setText(storedText());
    const auto& gate = session_.gates().gate();
    if (gate && chosen_ && static_cast<std::size_t>(*chosen_) >= gate->checks.size()) chosen_.reset();
    trend_->present(gate);
    showCheck();
    updateButtons();
}

QString GateWindow::storedText() const {
    if (!session_.document().isOpen()) return tr("Open a project: the gate says whether its kernel became slower.");
    const Variant* variant = session_.variant();
    if (variant == nullptr) return tr("No variant runs on %1").arg(session_.device());
    const QString what = tr("%1 on %2").arg(toQt(variant->name), session_.device());
    const auto& gate = session_.gates().gate();
    if (!gate) return tr("%1: reading").arg(what);
    if (!gate->stored && !gate->problem.isEmpty()) return tr("%1: %2").arg(what, gate->problem);
    if (!gate->stored)
        return tr("%1: nothing is stored yet. Press “Record a round”: it runs as F5 does, and what it measured becomes "
                  "what later checks are compared with.")
            .arg(what);
    const QString stored =
        tr("%1: stored is round %2 of %3, with %n case(s). Check builds its sources again and times them in pairs "
           "with the present ones.",
           nullptr, static_cast<int>(gate->stored->cases.size()))
            .arg(what)
            .arg(gate->stored->round)
            .arg(timeText(gate->stored->time));
    return gate->problem.isEmpty() ? stored : stored + '\n' + gate->problem;
}

const GateCheck* GateWindow::shownCheck() const {
    const auto& gate = session_.gates().gate();
    if (!gate || gate->checks.empty()) return nullptr;
    return chosen_ ? &gate->checks[static_cast<std::size_t>(*chosen_)] : &gate->checks.back();
}

namespace {

/// Not of a stored case that is gone from the project.
bool isCompared(const GatedCase& checked) { return checked.reason.empty(); }

QString ambiguousText(const GateCheck& check) {
    const bool is_noisy = std::ranges::any_of(
        check.cases, [](const GatedCase& each) { return each.verdict == Verdict::ambiguous && isCompared(each); });
    return is_noisy ? GateWindow::tr("ambiguous: a longer time budget helps")
                    : GateWindow::tr("ambiguous: a case could not be compared");
}

}  // namespace

QString GateWindow::verdictText(const GateCheck& check) const {
    const QString outcome = outcome_of(check) == GateOutcome::failed      ? word(check.status)
                            : outcome_of(check) == GateOutcome::slower    ? tr("slower or less accurate")
                            : outcome_of(check) == GateOutcome::ambiguous ? ambiguousText(check)
                                                                          : tr("as before, or faster");
    QStringList lines{tr("Check of %1, against round %2%3: %4")
                          .arg(timeText(check.time))
                          .arg(check.round)
                          .arg(check.archived ? tr(" by stored numbers") : QString(), outcome)};
    if (!check.reason.empty()) lines << inWords(check.reason);
    if (!check.hint.empty()) lines << inWords(check.hint).remove('`');
    return lines.join('\n');
}

void GateWindow::showCheck() {
    const GateCheck* check = shownCheck();
    verdict_->setVisible(check != nullptr);
    table_->setVisible(check != nullptr);
    const auto& gate = session_.gates().gate();
    trend_->setSelectedRow(check == nullptr ? std::nullopt
                                            : std::optional(static_cast<int>(check - gate->checks.data())));
    if (check == nullptr) return table_->setRowCount(0);
    verdict_->setText(verdictText(*check));
    const GateOutcome outcome = outcome_of(*check);
    const Colours colours = coloursOf(palette());
    const bool is_bad = outcome == GateOutcome::slower || outcome == GateOutcome::failed;
    paint(*verdict_, is_bad ? colours.bad : outcome == GateOutcome::ambiguous ? colours.warning : colours.good);
    table_->setRowCount(static_cast<int>(check->cases.size()));
    for (int row = 0; row < table_->rowCount(); ++row) fillRow(row, check->cases[static_cast<std::size_t>(row)]);
}

QColor GateWindow::colourOf(const GatedCase& checked) const {
    const Colours colours = coloursOf(palette());
    if (is_worse(checked)) return colours.bad;
    if (checked.verdict == Verdict::ambiguous) return colours.warning;
    return checked.verdict == Verdict::faster ? colours.good : palette().color(QPalette::Text);
}

namespace {

/// The p99 error, and what else is over its limit: "KL divergence 0.02 nat (0 nat)", with the stored number.
QString errorNow(const GatedCase& checked) {
    QStringList told{valueOf(metrics::p99_absolute, checked.accuracy_now.p99_error)};
    for (const AccuracyMeasure& each : accuracy_measures()) {
        if (each.value == &GatedAccuracy::p99_error || !std::ranges::contains(checked.worse_in, each.key)) continue;
        told << QStringLiteral("%1 %2").arg(titleOf(each.metric),
                                            valueOf(each.metric, checked.accuracy_now.*each.value));
        if (checked.accuracy_then)
            told.back() += QStringLiteral(" (%1)").arg(valueOf(each.metric, (*checked.accuracy_then).*each.value));
    }
    return told.join(QStringLiteral(", "));
}

}  // namespace

void GateWindow::fillRow(int row, const GatedCase& checked) {
    const Phrases say = windowPhrases();
    const QStringList texts{
        toQt(checked.binding.name),
        toQt(verdict_words(checked, say)),
        toQt(ratio_words(checked, say)),
        isCompared(checked) ? toQt(threshold_words(checked.threshold, say)) : QString(),
        QString::number(checked.runs),
        checked.accuracy_then ? valueOf(metrics::p99_absolute, checked.accuracy_then->p99_error) : QString(),
        isCompared(checked) || checked.accuracy_now.p99_error > 0 ? errorNow(checked) : QString()};
    for (int column = 0; column < column_count; ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setToolTip(texts[column]);
        item->setFlags(Qt::ItemIsEnabled);
        if (column == VerdictOf) item->setForeground(colourOf(checked));
        if (column == ErrorNow && checked.less_accurate()) item->setForeground(coloursOf(palette()).bad);
        table_->setItem(row, column, item);
    }
}

void GateWindow::updateButtons() {
    const auto offer = [](QPushButton& button, const QString& obstacle, const QString& tip) {
        button.setEnabled(obstacle.isEmpty());
        button.setToolTip(obstacle.isEmpty() ? tip : obstacle);
    };
    const bool runs = session_.engine().isRunning();
    offer(*check_, session_.gateActions().whyNotChecked(),
          tr("Is the kernel as it is now slower or less accurate than what is stored? Records no round"));
    offer(*record_, session_.gateActions().whyNotRecorded(),
          tr("Runs a round as F5 does, and stores it to compare with later"));
    const Round* round = session_.selectedRound() ? session_.rounds().round(*session_.selectedRound()) : nullptr;
    const bool is_own = round != nullptr && round->status == Status::ok;
    store_->setVisible(is_own);
    const Variant* variant = session_.variant();
    const bool is_shown = is_own && variant != nullptr && round->variant == variant->name;
    if (is_shown) store_->setText(tr("Store round %1").arg(round->number));
    else if (is_own) store_->setText(tr("Store round %1 of %2").arg(round->number).arg(toQt(round->variant)));
    offer(*store_, {}, tr("What the selected round measured is stored for its variant and device; nothing runs"));
    const GateCheck* last = session_.gates().gate() && !session_.gates().gate()->checks.empty()
                                ? &session_.gates().gate()->checks.back()
                                : nullptr;
    keep_->setEnabled(last != nullptr && last->status == Status::ok && session_.gates().gate()->stored);
    stop_->setVisible(runs);
    stop_->setIcon(icon("stop", palette()));
    stage_->setVisible(runs);
    if (!runs) stage_->clear();
}

void GateWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || stop_ == nullptr) return;
    tell(told_->text(), told_problem_);
    showCheck();
    updateButtons();
}

}  // namespace kernelgen::studio
