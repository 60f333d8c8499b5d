// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/comparison/comparison_model.h"

#include <QFont>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QString statusTip(const ComparedCase& compared) {
    QStringList lines{inWords(compared.reason), compared.noise};
    for (const Said& each : compared.warnings) lines << inWords(each);
    lines.removeAll(QString());
    return lines.join('\n');
}

bool isNumber(int column) { return column >= ComparisonModel::Median && column <= ComparisonModel::Ceiling; }

bool isUnsure(const ComparedCase& compared, int column) { return !compared.noise.isEmpty() && isNumber(column); }

/// What was measured; "" where nothing was.
QString figureOf(const ComparedCase& compared, int column) {
    if (!compared.isTimed()) return {};
    switch (column) {
        case ComparisonModel::Median: return secondsText(compared.seconds);
        case ComparisonModel::Speedup: return ratioText(compared.speedup);
        case ComparisonModel::Interval:
            return QStringLiteral("%1 … %2").arg(ratioText(compared.speedup_lower), ratioText(compared.speedup_upper));
        case ComparisonModel::Bandwidth:
            return compared.bandwidth_gbps > 0 ? bandwidthText(compared.bandwidth_gbps) : QString();
        default: return compared.fraction > 0 ? percentText(compared.fraction) : QString();
    }
}

QString statusText(const ComparedCase& compared) {
    const QString status = inWords(compared.status, compared.reason).section('\n', 0, 0);
    if (!compared.reason.empty()) return status;
    QStringList parts{status};
    if (!compared.noise.isEmpty()) parts << ComparisonModel::tr("noisy");
    const auto warnings = static_cast<int>(compared.warnings.size());
    if (warnings > 0) parts << ComparisonModel::tr("%n warning(s)", nullptr, warnings);
    return parts.join(ComparisonModel::tr(", "));
}

}  // namespace

void ComparisonModel::setComparison(const std::shared_ptr<const Comparison>& comparison) {
    beginResetModel();
    rows_.clear();
    for (std::size_t place = 0; comparison && place < comparison->cases.size(); ++place) {
        bool first = true;
        for (ComparedCase& each : fastestFirst(comparedCases(*comparison, place))) {
            rows_.push_back({caseText(comparison->cases[place]), std::exchange(first, false), std::move(each)});
        }
    }
    endResetModel();
}

void ComparisonModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString ComparisonModel::textAt(const Row& row, int column) const {
    const ComparedCase& each = row.compared;
    switch (column) {
        case Binding: return row.binding;
        case Variant: return each.is_baseline ? tr("%1 (baseline)").arg(each.variant) : each.variant;
        case State: return statusText(each);
        case Tunables: return configurationText(each.configuration);
        default: break;
    }
    const QString figure = figureOf(each, column);
    return !figure.isEmpty() && isUnsure(each, column) ? unsureText(figure) : figure;
}

QVariant ComparisonModel::colourAt(const Row& row, int column) const {
    if (isUnsure(row.compared, column)) return coloursOf(palette_).muted;
    if (column != State) return {};
    return row.compared.noise.isEmpty() ? colourOf(row.compared.status, palette_) : coloursOf(palette_).warning;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return index.column() == Binding && !row.first ? QString() : textAt(row, index.column());
        case full_text_role: return textAt(row, index.column());
        case Qt::ToolTipRole:
            if (isUnsure(row.compared, index.column())) return row.compared.noise;
            return index.column() == State ? statusTip(row.compared) : textAt(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ForegroundRole: return colourAt(row, index.column());
        case Qt::FontRole: {
            QFont font;
            const bool is_surely_fastest = row.first && row.compared.isTimed() && row.compared.noise.isEmpty();
            font.setBold(is_surely_fastest && index.column() == Variant);
            font.setItalic(isUnsure(row.compared, index.column()));
            return font.bold() || font.italic() ? QVariant(font) : QVariant();
        }
        default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Binding: return tr("Case");
        case Variant: return tr("Variant");
        case State: return tr("Status");
        case Median: return titleOf(metrics::seconds);
        case Speedup: return titleOf(metrics::speedup);
        case Interval: return tr("95 % interval");
        case Bandwidth: return titleOf(metrics::bandwidth_gbps);
        case Ceiling: return titleOf(metrics::fraction);
        default: return tr("Tunables");
    }
}

}  // namespace kernelgen::studio
