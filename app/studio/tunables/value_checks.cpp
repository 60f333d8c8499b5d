// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/value_checks.h"

#include <QCheckBox>
#include <algorithm>

#include "app/studio/tunables/tunable_slider.h"

namespace kernelgen::studio {

ValueChecks::ValueChecks(const QString& name, const std::vector<std::int64_t>& values, const TunableSlider& slider,
                         QWidget* parent)
    : QWidget(parent), slider_(slider) {
    for (const std::int64_t each : values) {
        auto* box = new QCheckBox(this);
        const QString what = tr("%1=%2 takes part in a tuning").arg(name).arg(each);
        box->setObjectName(QStringLiteral("%1_%2").arg(name).arg(each));
        box->setAccessibleName(what);
        box->setToolTip(what);
        connect(box, &QCheckBox::clicked, this, [this, each](bool checked) { emit chosen(each, checked); });
        boxes_.push_back(box);
    }
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ValueChecks::setChecked(const std::vector<bool>& checked) {
    for (std::size_t i = 0; i < boxes_.size() && i < checked.size(); ++i) boxes_[i]->setChecked(checked[i]);
}

QWidget* ValueChecks::lastBox() const { return boxes_.empty() ? nullptr : boxes_.back(); }

QSize ValueChecks::boxSize() const { return boxes_.empty() ? QSize(1, 1) : boxes_.front()->sizeHint(); }

bool ValueChecks::fitBelowTicks(int width) const {
    return static_cast<int>(boxes_.size()) * boxSize().width() <= width;
}

int ValueChecks::heightForWidth(int width) const {
    if (fitBelowTicks(width)) return boxSize().height();
    const int columns = std::max(1, width / boxSize().width());
    const auto count = static_cast<int>(boxes_.size());
    return (count + columns - 1) / columns * boxSize().height();
}

void ValueChecks::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const QSize size = boxSize();
    const int columns = std::max(1, width() / size.width());
    for (int i = 0; i < static_cast<int>(boxes_.size()); ++i) {
        const QPoint place = fitBelowTicks(width())
                                 ? QPoint(std::clamp(slider_.xOf(i) - size.width() / 2, 0, width() - size.width()), 0)
                                 : QPoint(i % columns * size.width(), i / columns * size.height());
        boxes_[static_cast<std::size_t>(i)]->setGeometry(QRect(place, size));
    }
}

}  // namespace kernelgen::studio
