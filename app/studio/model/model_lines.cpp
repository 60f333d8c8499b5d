// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/model/model_lines.h"

#include <QFont>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/model/model_words.h"
#include "app/studio/theme/theme.h"
#include "core/base/text.h"

namespace kernelgen::studio {

namespace {

constexpr double least_gain = 1.01;  ///< of the whole, to stand out

bool isText(int column) {
    return column == ModelLines::Operator || column == ModelLines::Module || column == ModelLines::Inputs;
}

double intensityOf(const ModelCounts& counts) {
    const double bytes = counts.bytes_read + counts.bytes_written;
    return counts.flops && bytes > 0 ? *counts.flops / bytes : -1;
}

/// Adds the columns that calls and groups of neighbours have in common, from the time on.
void addNumbers(ModelLine& line, double seconds, const ModelCounts& counts, const ModelShare& share) {
    line.texts << secondsOf(seconds) << flopsOf(counts) << toQt(bytes_text(counts)) << toQt(intensity_text(counts))
               << reachedOf(share) << toQt(share_text(share)) << toQt(gain_text(share));
    const std::vector<double> numbers = {seconds,
                                         counts.flops.value_or(-1),
                                         counts.bytes_read + counts.bytes_written,
                                         intensityOf(counts),
                                         share.point.has_ceilings ? share.point.fraction : -1,
                                         share.share,
                                         share.gain.value_or(-1)};
    line.numbers.insert(line.numbers.end(), numbers.begin(), numbers.end());
}

ModelLine lineOf(const Ranked<ModelRow>& ranked) {
    const ModelRow& row = *ranked.part;
    ModelLine line{.calls = {row.calls.front(), row.calls.front()}};
    line.texts = {QString::number(row.calls.front()), QString::number(row.calls.size()), toQt(row.operation),
                  toQt(place_text(row)), toQt(join(row.inputs, " "))};
    line.numbers = {static_cast<double>(row.calls.front()), static_cast<double>(row.calls.size()), -1, -1, -1};
    addNumbers(line, row.seconds, row.counts, ranked.share);
    return line;
}

ModelLine lineOf(const Ranked<ModelGroup>& ranked) {
    const ModelGroup& group = *ranked.part;
    const int first = group.places.front();
    const auto times = static_cast<double>(group.places.size());
    ModelLine line{.calls = {first, first + group.length - 1}};
    line.texts = {QStringLiteral("%1–%2").arg(first).arg(line.calls.last),
                  QString::number(group.places.size()),
                  toQt(chain_text(group)),
                  {},
                  {}};
    line.numbers = {static_cast<double>(first), times, -1, -1, -1};
    addNumbers(line, ranked.share.seconds / times, group.counts, ranked.share);
    return line;
}

template <class Part>
std::vector<ModelLine> linesOf(const std::vector<Ranked<Part>>& ranked, const std::vector<Part>& parts) {
    std::vector<ModelLine> lines;
    for (const Ranked<Part>& each : ranked) {
        lines.push_back(lineOf(each));
        lines.back().place = static_cast<std::size_t>(each.part - parts.data());
    }
    return lines;
}

}  // namespace

void ModelLines::setLines(std::vector<ModelLine> lines) {
    beginResetModel();
    lines_ = std::move(lines);
    endResetModel();
}

void ModelLines::setCalls(const ModelReport& report) { setLines(linesOf(ranked_rows(report), report.profile.rows)); }

void ModelLines::setNeighbours(const ModelReport& report) {
    setLines(linesOf(ranked_groups(report), report.profile.groups));
}

void ModelLines::setPalette(const QPalette& palette) {
    palette_ = palette;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int ModelLines::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int ModelLines::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant ModelLines::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const ModelLine& line = at(index.row());
    const int column = index.column();
    const QString& text = line.texts[column];
    const double number = line.numbers[static_cast<std::size_t>(column)];
    switch (role) {
        case Qt::DisplayRole: return text;
        case Qt::ToolTipRole: return text;
        case sort_role: return isText(column) ? QVariant(text) : QVariant(number);
        case bar_role:
            return column == Share || column == Reached ? QVariant(std::clamp(number, 0.0, 1.0)) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ForegroundRole: {
            const bool is_missing = !isText(column) && number < 0;
            return is_missing || column == Module || column == Inputs ? QVariant(coloursOf(palette_).muted)
                                                                      : QVariant();
        }
        case Qt::FontRole: {
            QFont font;
            font.setBold(column == Gain && number >= least_gain);
            return font.bold() ? QVariant(font) : QVariant();
        }
        default: return {};
    }
}

QVariant ModelLines::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= column_count) return {};
    const ColumnWords words = wordsOf(static_cast<Column>(section));
    if (role == Qt::DisplayRole) return words.title;
    if (role == Qt::ToolTipRole) return words.meaning;
    if (role != Qt::TextAlignmentRole) return {};
    return QVariant::fromValue((isText(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

}  // namespace kernelgen::studio
