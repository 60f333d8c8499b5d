// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace kernelgen::studio {

/// Puts widgets side by side, and in further lines where the width is used up.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent);

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;  ///< of the widest item
    void setGeometry(const QRect& area) override;

private:
    int arrange(const QRect& area, bool place) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace kernelgen::studio
