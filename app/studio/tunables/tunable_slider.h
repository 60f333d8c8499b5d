// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <optional>

namespace kernelgen::studio {

/// A slider over the indices of a tunable's allowed values, with a tick for each and a mark at the best round's.
class TunableSlider : public QSlider {
    Q_OBJECT

public:
    explicit TunableSlider(int values, QWidget* parent = nullptr);

    void setBest(std::optional<int> index);
    int xOf(int index) const;  ///< the middle of the handle when it stands at a value

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    std::optional<int> best_;
};

}  // namespace kernelgen::studio
