// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/flow_layout.h"

#include <algorithm>

namespace kernelgen::studio {

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {}

void FlowLayout::addItem(QLayoutItem* item) { items_.emplace_back(item); }

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (itemAt(index) == nullptr) return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& each : items_) size = size.expandedTo(each->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    arrange(area, true);
}

/// The height that the items take in the area's width.
int FlowLayout::arrange(const QRect& area, bool place) const {
    const QRect inner = area.marginsRemoved(contentsMargins());
    int x = inner.x(), y = inner.y(), line = 0;
    for (const auto& each : items_) {
        if (each->isEmpty()) continue;
        QSize size = each->sizeHint();
        size.setWidth(std::min(size.width(), std::max(inner.width(), each->minimumSize().width())));
        if (line > 0 && x + size.width() > inner.x() + inner.width()) {
            x = inner.x();
            y += line + spacing();
            line = 0;
        }
        if (place) each->setGeometry({{x, y}, size});
        x += size.width() + spacing();
        line = std::max(line, size.height());
    }
    return y + line - area.y() + contentsMargins().bottom();
}

}  // namespace kernelgen::studio
