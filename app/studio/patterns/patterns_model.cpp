// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/patterns/patterns_model.h"

#include <cmath>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/theme/theme.h"
#include "core/report/diagnosis_words.h"
#include "core/strategy/catalogue.h"

namespace kernelgen::studio {

namespace {

bool isFigure(int column) { return column >= PatternsModel::Rounds && column <= PatternsModel::Counterexamples; }

QString strategyTitle(const std::string& id) {
    const StrategyText* text = find_strategy_text(id);
    if (text == nullptr) return toQt(id);
    return toQt(tongueOfInterface() == Tongue::chinese ? text->title_zh : text->title);
}

QString originOf(const Pattern& pattern) {
    if (pattern.is_own) return PatternsModel::tr("own");
    return pattern.is_shipped ? PatternsModel::tr("shipped") : PatternsModel::tr("imported");
}

/// A class of operators in the language of the interface, where it is one of the known ones.
QString classText(const std::string& id) {
    if (id == "elementwise") return PatternsModel::tr("elementwise");
    if (id == "broadcast") return PatternsModel::tr("broadcast");
    if (id == "rows") return PatternsModel::tr("rows");
    return toQt(id);
}

/// "large, long rows"
QString shapeText(const std::string& id) {
    const auto part = [](const QString& word) {
        if (word == QLatin1String("small")) return PatternsModel::tr("small");
        if (word == QLatin1String("medium")) return PatternsModel::tr("medium");
        if (word == QLatin1String("large")) return PatternsModel::tr("large");
        if (word == QLatin1String("short rows")) return PatternsModel::tr("short rows");
        return word == QLatin1String("long rows") ? PatternsModel::tr("long rows") : word;
    };
    QStringList words;
    for (const QString& each : toQt(id).split(QStringLiteral(", "))) words << part(each);
    return words.join(PatternsModel::tr(", "));
}

}  // namespace

void PatternsModel::setContent(const std::shared_ptr<const PatternLibrary::Content>& content) {
    beginResetModel();
    content_ = content;
    endResetModel();
}

void PatternsModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int PatternsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !content_ ? 0 : static_cast<int>(content_->patterns.all.size());
}

int PatternsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString PatternsModel::textAt(const Pattern& pattern, int column) const {
    const PatternKey& key = pattern.key;
    switch (column) {
        case Strategy: return strategyTitle(key.strategy);
        case Finding: {
            const std::string title = title_of_finding(key.finding, content_->rules, windowPhrases());
            return toQt(title.empty() ? key.finding : title);
        }
        case Operator: return classText(key.operator_class);
        case DType: return toQt(key.dtype);
        case Shape: return shapeText(key.shape_class);
        case Device: return toQt(key.device);
        case Rounds: return QString::number(pattern.count);
        case Gain: return pattern.count > 0 ? ratioText(std::exp(pattern.mean)) : QString();
        case Next:
            return pattern.interval() ? QStringLiteral("%1 … %2").arg(ratioText(pattern.interval()->lower),
                                                                      ratioText(pattern.interval()->upper))
                                      : QString();
        case Counterexamples: return QString::number(pattern.counterexamples);
        case Origin: return originOf(pattern);
        default: return toQt(pattern.note);
    }
}

QVariant PatternsModel::sortKey(const Pattern& pattern, int column) const {
    switch (column) {
        case Rounds: return pattern.count;
        case Gain: return pattern.count > 0 ? pattern.mean : -1e9;
        case Next: return pattern.interval() ? pattern.interval()->lower : 0.0;
        case Counterexamples: return pattern.counterexamples;
        default: return textAt(pattern, column);
    }
}

QString PatternsModel::tipOf(const Pattern& pattern, int column) const {
    if (column == Next) return tr("The gains of nine of ten next rounds lie there; it needs two rounds");
    if (column == Gain) return tr("Time before over time after, the mean of all rounds");
    if (column == Counterexamples) return tr("Rounds that became slower, or were not right");
    if (column == Note) return tr("A double click writes a note");
    if (column == Strategy && pattern.is_disabled) return tr("Disabled: it says nothing of the strategy any more");
    return textAt(pattern, column);
}

QVariant PatternsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Pattern& pattern = patternAt(index.row());
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole: return textAt(pattern, index.column());
        case sort_role: return sortKey(pattern, index.column());
        case Qt::ToolTipRole: return tipOf(pattern, index.column());
        case Qt::CheckStateRole:
            if (index.column() != Strategy) return {};
            return pattern.is_disabled ? Qt::Unchecked : Qt::Checked;
        case Qt::ForegroundRole: return pattern.is_disabled ? QVariant(coloursOf(palette_).muted) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        default: return {};
    }
}

QVariant PatternsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Strategy: return tr("Strategy");
        case Finding: return tr("Finding");
        case Operator: return tr("Operator");
        case DType: return tr("Dtype");
        case Shape: return tr("Shapes");
        case Device: return tr("Device");
        case Rounds: return tr("Rounds");
        case Gain: return tr("Gain");
        case Next: return tr("Next gain, 90 %");
        case Counterexamples: return tr("Against");
        case Origin: return tr("From");
        default: return tr("Note");
    }
}

Qt::ItemFlags PatternsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Strategy) flags |= Qt::ItemIsUserCheckable;
    if (index.column() == Note) flags |= Qt::ItemIsEditable;
    return flags;
}

/// The row changes when the file is read again.
bool PatternsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    Pattern pattern = patternAt(index.row());
    if (index.column() == Strategy && role == Qt::CheckStateRole) {
        pattern.is_disabled = value.value<Qt::CheckState>() != Qt::Checked;
    } else if (index.column() == Note && role == Qt::EditRole) {
        pattern.note = value.toString().trimmed().toStdString();
    } else {
        return false;
    }
    if (pattern != patternAt(index.row())) emit edited(pattern);
    return true;
}

}  // namespace kernelgen::studio
