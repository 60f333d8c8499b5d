// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/queue/queue_model.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/status_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"
#include "core/round/best.h"

namespace kernelgen::studio {

namespace {

QString stateWord(QueueState state) {
    switch (state) {
        case QueueState::waiting: return QueueModel::tr("waits");
        case QueueState::running: return QueueModel::tr("runs");
        case QueueState::done: return QueueModel::tr("done");
        case QueueState::failed: return QueueModel::tr("failed");
        case QueueState::cancelled: return QueueModel::tr("cancelled");
    }
    return {};
}

/// "Round 12: 1.53×", or why there is none.
QString outcomeText(const QueuedRun& run) {
    if (!run.round) return run.problem.section('\n', 0, 0);
    const RoundCase* deciding = run.round->status == Status::ok ? deciding_case(*run.round) : nullptr;
    const QString what =
        deciding == nullptr ? word(run.round->status) : QStringLiteral("%1×").arg(deciding->speedup, 0, 'f', 3);
    return QueueModel::tr("Round %1: %2").arg(run.round->number).arg(what);
}

QString casesText(const QueuedRun& run) {
    QStringList names;
    for (const Case& each : run.cases) names << toQt(each.name);
    return names.size() <= 2 ? names.join(QStringLiteral(", ")) : QueueModel::tr("%1 cases").arg(names.size());
}

Configuration configurationOf(const QueuedRun& run) {
    Configuration whole = run.base->candidate.configuration;
    for (const auto& [name, value] : run.configuration) whole[name] = value;
    return whole;
}

}  // namespace

QString roughTime(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(seconds));
    if (whole < 90) return QueueModel::tr("%1 s").arg(whole);
    const long long minutes = (whole + 59) / 60;
    if (minutes < 90) return QueueModel::tr("%1 min").arg(minutes);
    return QueueModel::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QueueModel::QueueModel(const RunQueue& queue, QObject* parent) : QAbstractTableModel(parent), queue_(queue) {
    connect(&queue, &RunQueue::changed, this, &QueueModel::refresh);
    refresh();
}

/// Rows of the same runs stay the same rows, so that what is selected stays so.
void QueueModel::refresh() {
    const std::vector<QueuedRun>& now = queue_.runs();
    if (std::ranges::equal(now, shown_, {}, &QueuedRun::id, &QueuedRun::id)) {
        shown_ = now;
        if (!shown_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
        return;
    }
    beginResetModel();
    shown_ = now;
    endResetModel();
}

void QueueModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    if (!shown_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int QueueModel::rowOf(int id) const {
    const auto found = std::ranges::find(shown_, id, &QueuedRun::id);
    return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QString QueueModel::text(const QueuedRun& run, int column) const {
    switch (column) {
        case State: return stateWord(run.state);
        case Variant: return toQt(run.base->candidate.variant.name);
        case Device: return toQt(run.base->options.device);
        case Tunables: return configurationText(configurationOf(run));
        case Cases: return casesText(run);
        case Outcome: return outcomeText(run);
        default: break;
    }
    if (run.seconds > 0) return roughTime(run.seconds);
    const bool is_to_come = run.state == QueueState::waiting || run.state == QueueState::running;
    const std::optional<double> expected = is_to_come ? queue_.expectedSeconds(run) : std::nullopt;
    return expected ? tr("about %1").arg(roughTime(*expected)) : QString();
}

QColor QueueModel::colour(const QueuedRun& run) const {
    const Colours colours = coloursOf(palette_);
    switch (run.state) {
        case QueueState::running: return colours.good;
        case QueueState::failed: return colours.bad;
        case QueueState::cancelled: return colours.muted;
        case QueueState::done: return run.round->status == Status::ok ? palette_.color(QPalette::Text) : colours.bad;
        case QueueState::waiting: break;
    }
    return palette_.color(QPalette::Text);
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const QueuedRun& of_row = run(index.row());
    switch (role) {
        case Qt::DisplayRole: return text(of_row, index.column());
        case Qt::ForegroundRole:
            if (index.column() == State || index.column() == Outcome) return colour(of_row);
            return {};
        case Qt::ToolTipRole:
            if (index.column() != Outcome) return text(of_row, index.column());
            return of_row.round ? inWords(of_row.round->status, of_row.round->reason) : of_row.problem;
        default: return {};
    }
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case State: return tr("State");
        case Variant: return tr("Variant");
        case Device: return tr("Device");
        case Tunables: return tr("Tunables");
        case Cases: return tr("Cases");
        case Outcome: return tr("Outcome");
        default: return tr("Takes");
    }
}

}  // namespace kernelgen::studio
