// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/rounds_model.h"

#include <QFont>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "app/studio/rounds/words.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/report/log_sections.h"
#include "core/round/noise.h"

namespace kernelgen::studio {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool isNumeric(RoundsModel::Column column) {
    return column == RoundsModel::Number || (column >= RoundsModel::Speedup && column <= RoundsModel::OfCeiling);
}

Qt::AlignmentFlag alignmentOf(RoundsModel::Column column) {
    if (column == RoundsModel::Star) return Qt::AlignHCenter;
    return isNumeric(column) || column >= RoundsModel::column_count ? Qt::AlignRight : Qt::AlignLeft;
}

std::weak_ordering order(double a, double b) {
    if (a < b) return std::weak_ordering::less;
    return a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

QString percent(double fraction, const char* format) {
    return std::isnan(fraction) ? QString() : QString::asprintf(format, 100 * fraction);
}

QString speedupText(const RoundCase& deciding) {
    return QString::asprintf("%.3f [%.3f, %.3f]", deciding.speedup, deciding.speedup_lower, deciding.speedup_upper);
}

QFont italic() {
    QFont font;
    font.setItalic(true);
    return font;
}

QColor blend(const QColor& over, const QColor& under, float share) {
    const auto mixed = [&](float a, float b) { return a * share + b * (1 - share); };
    return QColor::fromRgbF(mixed(over.redF(), under.redF()), mixed(over.greenF(), under.greenF()),
                            mixed(over.blueF(), under.blueF()));
}

}  // namespace

RoundsModel::RoundsModel(QObject* parent) : QAbstractTableModel(parent), history_(std::make_shared<History>()) {
    setPalette({});
    connect(&idle_, &QTimer::timeout, this, &RoundsModel::prepareSearch);
}

void RoundsModel::setHistory(std::shared_ptr<const History> history) {
    beginResetModel();
    history_ = std::move(history);
    figures_.clear();
    search_texts_.assign(history_->rounds.size(), {});
    std::set<std::string> names;
    for (const Round& round : history_->rounds) {
        figures_.push_back(figuresOf(round));
        for (const auto& [name, value] : round.configuration) names.insert(name);
    }
    tunables_.assign(names.begin(), names.end());
    findBest();
    prepared_ = 0;
    idle_.start(0);
    endResetModel();
}

/// Of each variant, in each group of rounds that may be compared, the one with the highest speedup.
void RoundsModel::findBest() {
    best_.clear();
    for (const RoundGroup& group : groups_of(*history_)) {
        std::map<std::string, RoundGroup> by_variant;
        for (const Round* each : group) by_variant[each->variant].push_back(each);
        for (const auto& [variant, rounds] : by_variant) best_.insert(best_of(rounds).number);
    }
}

void RoundsModel::setStarred(std::set<int> numbers) {
    starred_ = std::move(numbers);
    if (rowCount() > 0) emit dataChanged(index(0, Star), index(rowCount() - 1, Star));
}

QString RoundsModel::tunableOf(int column) const {
    const auto index = static_cast<std::size_t>(column - column_count);
    return column < column_count || index >= tunables_.size() ? QString() : toQt(tunables_[index]);
}

std::optional<std::int64_t> RoundsModel::tunableValue(int row, int column) const {
    const Configuration& configuration = round(row).configuration;
    const auto value = configuration.find(tunableOf(column).toStdString());
    return value == configuration.end() ? std::nullopt : std::optional(value->second);
}

void RoundsModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    dots_.clear();
    for (int status = 0; status <= static_cast<int>(Status::cancelled); ++status) {
        dots_[static_cast<Status>(status)] = dot(colourOf(static_cast<Status>(status), palette));
    }
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int RoundsModel::rowOf(int number) const {
    const auto& rounds = history_->rounds;
    const auto found = std::ranges::lower_bound(rounds, number, {}, &Round::number);
    return found != rounds.end() && found->number == number ? static_cast<int>(found - rounds.begin()) : -1;
}

RoundsModel::Figures RoundsModel::figuresOf(const Round& round) const {
    const RoundCase* deciding = deciding_case(round);
    if (deciding == nullptr) return {unknown, unknown, unknown, unknown};
    const RooflinePoint& point = deciding->roofline;
    Figures figures{.speedup = deciding->speedup,
                    .gain = unknown,
                    .bandwidth = point.bandwidth_gbps > 0 ? point.bandwidth_gbps : unknown,
                    .of_ceiling = point.has_ceilings ? point.fraction : unknown};
    const Round* before = compared_with(*history_, round);
    if (before == nullptr || !comparable(round, *before)) return figures;
    const RoundCase* earlier = timed_case(*before, deciding->binding);
    if (earlier != nullptr && earlier->speedup > 0) figures.gain = deciding->speedup / earlier->speedup - 1;
    return figures;
}

bool RoundsModel::isKnown(int row, int column) const {
    if (column >= column_count) return tunableValue(row, column).has_value();
    const Figures& figures = figures_[static_cast<std::size_t>(row)];
    switch (column) {
        case Speedup: return !std::isnan(figures.speedup);
        case Gain: return !std::isnan(figures.gain);
        case Bandwidth: return !std::isnan(figures.bandwidth);
        case OfCeiling: return !std::isnan(figures.of_ceiling);
        default: return true;
    }
}

std::weak_ordering RoundsModel::compare(int a, int b, int column) const {
    if (column >= column_count) return tunableValue(a, column) <=> tunableValue(b, column);
    const Figures &of_a = figures_[static_cast<std::size_t>(a)], &of_b = figures_[static_cast<std::size_t>(b)];
    const Round &left = round(a), &right = round(b);
    switch (column) {
        case Number: return a <=> b;
        case Verdict: return left.status <=> right.status;
        case Speedup: return order(of_a.speedup, of_b.speedup);
        case Gain: return order(of_a.gain, of_b.gain);
        case Bandwidth: return order(of_a.bandwidth, of_b.bandwidth);
        case OfCeiling: return order(of_a.of_ceiling, of_b.of_ceiling);
        case Device: return left.device <=> right.device;
        case Variant: return left.variant <=> right.variant;
        case Tunables: return left.configuration <=> right.configuration;
        case Change: return left.change <=> right.change;
        case Baseline: return left.baseline <=> right.baseline;
        case Time: return left.time <=> right.time;
        case Note: return left.note.text() <=> right.note.text();
        case Star: return isStarred(a) <=> isStarred(b);
    }
    return std::weak_ordering::equivalent;
}

const QString& RoundsModel::searchText(int row) const {
    QString& known = search_texts_[static_cast<std::size_t>(row)];
    if (!known.isEmpty()) return known;
    QStringList texts;
    for (int column = 0; column <= Note; ++column) {
        texts << (column == Time ? toQt(round(row).time) : text(row, static_cast<Column>(column)));
    }
    return known = texts.join('\n');
}

void RoundsModel::prepareSearch() {
    constexpr int rows_at_a_time = 200;
    const int end = std::min(prepared_ + rows_at_a_time, rowCount());
    while (prepared_ < end) searchText(prepared_++);
    if (prepared_ == rowCount()) idle_.stop();
}

bool RoundsModel::matches(int row, const QString& text) const {
    return searchText(row).contains(text, Qt::CaseInsensitive);
}

int RoundsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(history_->rounds.size());
}

int RoundsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : column_count + static_cast<int>(tunables_.size());
}

QString RoundsModel::text(int row, Column column) const {
    const QString plain = plainText(row, column);
    return !plain.isEmpty() && isUnsure(round(row), column) ? unsureText(plain) : plain;
}

QString RoundsModel::plainText(int row, Column column) const {
    const Round& round = this->round(row);
    const Figures& figures = figures_[static_cast<std::size_t>(row)];
    switch (column) {
        case Number: return QString::number(round.number);
        case Verdict: return verdictOf(round);
        case Speedup: return std::isnan(figures.speedup) ? QString() : speedupText(*deciding_case(round));
        case Gain: return percent(figures.gain, "%+.1f %%");
        case Bandwidth: return std::isnan(figures.bandwidth) ? QString() : QString::asprintf("%.1f", figures.bandwidth);
        case OfCeiling: return percent(figures.of_ceiling, "%.1f %%");
        case Device: return toQt(round.device);
        case Variant: return toQt(round.variant);
        case Tunables: return textOf(round.configuration);
        case Change: return word(round.change);
        case Baseline: return toQt(round.baseline);
        case Time: return timeText(round.time);
        case Note: return inWords(round.note).simplified();
        case Star: return isStarred(row) ? QStringLiteral("★") : QStringLiteral("☆");
    }
    return {};
}

QString RoundsModel::toolTip(int row, Column column) const {
    const Round& round = this->round(row);
    if (column == Star)
        return isStarred(row) ? tr("Starred: it stays on top. A click ends that")
                              : tr("A click stars it: it then stays on top");
    if (column == Verdict && !round.reason.empty()) return verdictOf(round) + "\n" + inWords(round.reason);
    const RoundCase* deciding = deciding_case(round);
    if (column >= Speedup && column <= OfCeiling) {
        if (deciding == nullptr) return tr("Not timed: %1").arg(verdictOf(round));
        const QString noise = noiseInWords(*deciding);
        return tr("Of the slowest case, %1").arg(toQt(deciding->binding.name)) + (noise.isEmpty() ? "" : "\n" + noise);
    }
    return column == Note ? inWords(round.note) : text(row, column);
}

bool RoundsModel::isUnsure(const Round& round, Column column) const {
    const RoundCase* deciding = deciding_case(round);
    return column >= Speedup && column <= OfCeiling && deciding != nullptr && is_noisy(*deciding);
}

/// The colour of a cell. Failed rounds stand out, and figures that noise makes unsure are muted; both are readable in
/// light and dark.
QVariant RoundsModel::colour(const Round& round, Column column, int role) const {
    const bool is_text = role == Qt::ForegroundRole;
    if (is_text && isUnsure(round, column)) return coloursOf(palette_).muted;
    if (round.status == Status::ok) return {};
    const QColor verdict = colourOf(round.status, palette_);
    if (is_text) return verdict;
    return blend(verdict, palette_.color(QPalette::Base), 0.07F);
}

QVariant RoundsModel::tunableData(const QModelIndex& index, int role) const {
    if (role == Qt::ForegroundRole || role == Qt::BackgroundRole) return colour(round(index.row()), Tunables, role);
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
    if (role != Qt::DisplayRole) return {};
    const auto value = tunableValue(index.row(), index.column());
    return value ? QString::number(*value) : QString();
}

QVariant RoundsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    if (index.column() >= column_count) return tunableData(index, role);
    const auto column = static_cast<Column>(index.column());
    switch (role) {
        case Qt::DisplayRole: return text(index.row(), column);
        case Qt::ToolTipRole: return toolTip(index.row(), column);
        case Qt::ForegroundRole:
        case Qt::BackgroundRole: return colour(round(index.row()), column, role);
        case Qt::FontRole: return isUnsure(round(index.row()), column) ? QVariant(italic()) : QVariant();
        case Qt::DecorationRole: return column == Verdict ? dots_.at(round(index.row()).status) : QVariant();
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::AlignVCenter | alignmentOf(column));
        case Qt::AccessibleTextRole:
            return column != Star           ? text(index.row(), column)
                   : isStarred(index.row()) ? tr("starred")
                                            : tr("not starred");
        default: return {};
    }
}

QVariant RoundsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter | alignmentOf(column));
    }
    // The first click on a column of figures asks which round is best.
    if (role == Qt::InitialSortOrderRole) return isNumeric(column) ? Qt::DescendingOrder : Qt::AscendingOrder;
    const bool is_tip = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !is_tip) return {};
    switch (column) {
        case Number: return tr("Round");
        case Verdict: return tr("Status");
        case Speedup: return is_tip ? tr("Of the slowest case, with its 95 % interval") : titleOf(metrics::speedup);
        case Gain: return is_tip ? tr("Against the parent round, where both may be compared") : tr("Gain");
        case Bandwidth: return is_tip ? tr("Effective bandwidth of the slowest case") : unitOf(metrics::bandwidth_gbps);
        case OfCeiling: return is_tip ? meaningOf(metrics::fraction) : titleOf(metrics::fraction);
        case Device: return tr("Device");
        case Variant: return tr("Variant");
        case Tunables: return tr("Configuration");
        case Change: return is_tip ? tr("The kind of change since the parent round") : tr("Change");
        case Baseline: return tr("Baseline");
        case Time: return tr("Time");
        case Note: return tr("Note");
        case Star: return is_tip ? tr("Rounds of yours that stay on top") : QStringLiteral("★");
    }
    if (const QString tunable = tunableOf(section); !tunable.isEmpty())
        return is_tip ? tr("The tunable %1").arg(tunable) : tunable;
    return {};
}

}  // namespace kernelgen::studio
