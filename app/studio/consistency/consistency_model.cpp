// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/consistency/consistency_model.h"

#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

QString nameOf(Aspect aspect) {
    switch (aspect) {
        case Aspect::function_name: return ConsistencyModel::tr("Function");
        case Aspect::parameter_count: return ConsistencyModel::tr("Parameter count");
        case Aspect::parameter_names: return ConsistencyModel::tr("Parameter names");
        case Aspect::parameter_order: return ConsistencyModel::tr("Parameter order");
        case Aspect::parameter_types: return ConsistencyModel::tr("Parameter types");
        case Aspect::return_type: return ConsistencyModel::tr("Return");
        case Aspect::input_checks: return ConsistencyModel::tr("Input checks");
        case Aspect::kernel_arguments: return ConsistencyModel::tr("Kernel arguments");
        case Aspect::tunables: return ConsistencyModel::tr("Tunables");
        case Aspect::tolerances: return ConsistencyModel::tr("Tolerances");
        default: return ConsistencyModel::tr("Cases");
    }
}

QString nameOf(FileRole role) {
    switch (role) {
        case FileRole::definition: return ConsistencyModel::tr("Definition");
        case FileRole::kernel: return ConsistencyModel::tr("Kernel");
        case FileRole::baseline: return ConsistencyModel::tr("Baseline");
        case FileRole::accuracy: return ConsistencyModel::tr("Accuracy");
        default: return ConsistencyModel::tr("Performance");
    }
}

int lineOf(const Diagnostic& diagnostic) {
    const QString where = toQt(diagnostic.where);
    return where.startsWith(QLatin1String("line ")) ? where.mid(5).section(':', 0, 0).toInt() : 0;
}

void ConsistencyModel::setConsistency(const Consistency& consistency) {
    beginResetModel();
    consistency_ = consistency;
    endResetModel();
}

void ConsistencyModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QString ConsistencyModel::fileAt(int column) const {
    return column < columnCount() ? toQt(consistency_.files[static_cast<std::size_t>(column)]) : QString();
}

const ChecklistCell& ConsistencyModel::cellAt(const QModelIndex& index) const {
    return consistency_.rows[static_cast<std::size_t>(index.row())].cells[static_cast<std::size_t>(index.column())];
}

const Diagnostic* ConsistencyModel::mismatchAt(const QModelIndex& index) const {
    const ChecklistCell& cell = cellAt(index);
    if (cell.state != ChecklistCell::State::differs) return nullptr;
    const auto row = static_cast<std::size_t>(index.row());
    const std::string& file = consistency_.files[static_cast<std::size_t>(index.column())];
    const std::string aspect(to_string(consistency_.rows[row].aspect));
    const Diagnostic* of_file = nullptr;
    for (const Diagnostic& each : consistency_.mismatches) {
        if (each.file != file) continue;
        if (of_file == nullptr || each.message.text().find(aspect) != std::string::npos) of_file = &each;
        if (each.message.text().find(aspect) != std::string::npos) break;
    }
    return of_file;
}

int ConsistencyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(consistency_.rows.size());
}

int ConsistencyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(file_role_count);
}

QVariant ConsistencyModel::colourAt(const QModelIndex& index) const {
    const Colours colours = coloursOf(palette_);
    switch (cellAt(index).state) {
        case ChecklistCell::State::differs: return colours.bad;
        case ChecklistCell::State::none: return colours.muted;
        default: return {};
    }
}

QString ConsistencyModel::tipAt(const QModelIndex& index) const {
    QStringList lines{studio::inWords(cellAt(index).text)};
    if (const Diagnostic* mismatch = mismatchAt(index)) {
        lines << studio::inWords(mismatch->message) << studio::inWords(mismatch->suggestion);
    }
    lines.removeAll(QString());
    return lines.join('\n');
}

QVariant ConsistencyModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const ChecklistCell& cell = cellAt(index);
    if (role == Qt::ForegroundRole) return colourAt(index);
    if (role == Qt::ToolTipRole) return tipAt(index);
    if (role != Qt::DisplayRole) return {};
    const QString text = studio::inWords(cell.text);
    if (cell.state == ChecklistCell::State::none) return text.isEmpty() ? QStringLiteral("–") : text;
    const QString mark = cell.state == ChecklistCell::State::agrees ? QStringLiteral("✓") : QStringLiteral("✗");
    return text.isEmpty() ? mark : mark + ' ' + text.simplified();
}

QVariant ConsistencyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        const bool named = role == Qt::DisplayRole && section < rowCount();
        return named ? nameOf(consistency_.rows[static_cast<std::size_t>(section)].aspect) : QVariant();
    }
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return fileAt(section);
    return role == Qt::DisplayRole ? nameOf(static_cast<FileRole>(section)) : QVariant();
}

}  // namespace kernelgen::studio
