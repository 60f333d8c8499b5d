// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/cell_delegate.h"

#include <QComboBox>
#include <QPainter>

#include "app/studio/operator/project_table.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

QWidget* CellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    const auto* table = qobject_cast<const ProjectTable*>(index.model());
    const QStringList choices = table == nullptr ? QStringList() : table->content().choices(index.column());
    QWidget* editor = nullptr;
    if (choices.isEmpty()) {
        editor = QStyledItemDelegate::createEditor(parent, option, index);
    } else {
        auto* box = new QComboBox(parent);
        for (const QString& each : choices) box->addItem(each.isEmpty() ? tr("the case's") : each, each);
        connect(box, &QComboBox::activated, this, [this, box] {
            emit const_cast<CellDelegate*>(this)->commitData(box);
            emit const_cast<CellDelegate*>(this)->closeEditor(box);
        });
        editor = box;
    }
    if (editor != nullptr) {
        editor->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
    }
    return editor;
}

void CellDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* box = qobject_cast<QComboBox*>(editor);
    if (box == nullptr) return QStyledItemDelegate::setEditorData(editor, index);
    box->setCurrentIndex(box->findData(index.data(Qt::EditRole)));
}

void CellDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    const auto* box = qobject_cast<QComboBox*>(editor);
    if (box == nullptr) return QStyledItemDelegate::setModelData(editor, model, index);
    model->setData(index, box->currentData());
}

void CellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(Qt::EditRole).toString().isEmpty()) {
        option->palette.setColor(QPalette::Text, coloursOf(option->palette).muted);
    }
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.data(ProjectTable::ProblemRole).toString().isEmpty()) return;
    painter->setPen(QPen(coloursOf(option.palette).bad, 1));
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
}

}  // namespace kernelgen::studio
