// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/assembly/listing_model.h"

#include <QCoreApplication>

#include "app/studio/application/text.h"
#include "core/listing/instruction_group.h"

namespace kernelgen::studio {

void ListingModel::setCode(SharedCode code) {
    beginResetModel();
    code_ = std::move(code);
    if (code_ == nullptr) folding_.setRegions({}, {}, 0);
    else folding_.setRegions(code_->regions, namesOf(code_->regions, code_->listing), code_->listing.lines.size());
    endResetModel();
}

int ListingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || code_ == nullptr ? 0 : folding_.count();
}

std::pair<std::size_t, std::size_t> ListingModel::linesOf(int row) const {
    return {lineOf(row), row + 1 < folding_.count() ? lineOf(row + 1) : code_->listing.lines.size()};
}

void ListingModel::fold(const std::function<void(Folding&)>& change) {
    beginResetModel();
    change(folding_);
    endResetModel();
}

QString ListingModel::folded(int row) const {
    const CodeRegion* region = folding_.foldedAt(lineOf(row));
    if (region == nullptr) return {};
    const auto lines = static_cast<int>(region->last - region->first + 1);
    switch (region->kind) {
        case RegionKind::function: return tr("function, %Ln line(s)", nullptr, lines);
        case RegionKind::loop: return tr("loop, %Ln line(s)", nullptr, lines);
        case RegionKind::block: return tr("block, %Ln line(s)", nullptr, lines);
    }
    return {};
}

QString ListingModel::placeOf(int row) const {
    const QString number = line(row).file < 0 ? QString() : QString::number(line(row).line);
    if (mark(row) == '-') return QStringLiteral("−");
    return mark(row) == '+' ? QStringLiteral("+ ") + number : number;
}

QString ListingModel::textOf(int row) const {
    const QString hidden = folded(row), text = toQt(line(row).text);
    return hidden.isEmpty() ? text : text + QStringLiteral("  ⋯ ") + hidden;
}

QVariant ListingModel::data(const QModelIndex& index, int role) const {
    const ListingLine& each = line(index.row());
    if (role == Qt::DisplayRole) return index.column() == Line ? placeOf(index.row()) : textOf(index.row());
    if (role == Qt::TextAlignmentRole && index.column() == Line) return int{Qt::AlignRight | Qt::AlignVCenter};
    if (role != Qt::ToolTipRole) return {};
    QStringList tips;
    if (mark(index.row()) == '-') tips << tr("In the other code alone");
    if (mark(index.row()) == '+') tips << tr("Not in the other code");
    if (each.file >= 0) tips << tr("%1, line %2").arg(toQt(code_->fileOfRow(lineOf(index.row())))).arg(each.line);
    if (each.kind == ListingLineKind::instruction) tips << wordOf(each.group);
    if (const int loops = folding_.loopsAround(lineOf(index.row())); loops > 0)
        tips << tr("in %Ln loop(s)", nullptr, loops);
    return tips.join('\n');
}

QVariant ListingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == Line ? tr("Line") : tr("Code");
}

QString wordOf(InstructionGroup group) {
    switch (group) {
        case InstructionGroup::floats: return ListingModel::tr("floating point");
        case InstructionGroup::matrix: return ListingModel::tr("matrix");
        case InstructionGroup::integers: return ListingModel::tr("integer");
        case InstructionGroup::load: return ListingModel::tr("load");
        case InstructionGroup::store: return ListingModel::tr("store");
        case InstructionGroup::spill: return ListingModel::tr("spill");
        case InstructionGroup::convert: return ListingModel::tr("conversion");
        case InstructionGroup::move: return ListingModel::tr("move");
        case InstructionGroup::control: return ListingModel::tr("jump or call");
        case InstructionGroup::sync: return ListingModel::tr("barrier or atomic");
        case InstructionGroup::other: return ListingModel::tr("other");
    }
    return {};
}

QString mixInWords(const InstructionMix& mix, CodeKind kind) {
    QStringList groups, registers;
    for (const InstructionGroup each : all_instruction_groups) {
        const auto count = mix.groups.find(each);
        if (count != mix.groups.end()) groups << QStringLiteral("%1 %2").arg(count->second).arg(wordOf(each));
    }
    const auto nameOf = [](const std::string& of) {
        if (of == "vector") return ListingModel::tr("vector");
        if (of == "general") return ListingModel::tr("general");
        return of == "mask" ? ListingModel::tr("mask") : toQt(of);
    };
    for (const auto& [of, count] : mix.registers) registers << QStringLiteral("%1 %2").arg(count).arg(nameOf(of));
    QStringList parts = {ListingModel::tr("%Ln instruction(s)", nullptr, mix.instructions)};
    if (!groups.isEmpty()) parts.front() += ListingModel::tr(": ") + groups.join(", ");
    if (!registers.isEmpty()) parts << ListingModel::tr("registers named: %1").arg(registers.join(", "));
    if (!is_mlir(kind) && mix.spills() == 0) parts << ListingModel::tr("no spills");
    return parts.join("; ");
}

}  // namespace kernelgen::studio
