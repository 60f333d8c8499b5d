// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/model/share_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/model/model_words.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

ShareBar::ShareBar(QWidget* parent) : QWidget(parent) {
    setObjectName("model_shares");
    setAccessibleName(tr("Shares of the whole"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

QSize ShareBar::sizeHint() const { return {200, fontMetrics().height() + 8}; }

/// Shows the rows' shares side by side, the largest first.
void ShareBar::show(const ModelReport& report) {
    std::vector<Ranked<ModelRow>> rows = ranked_rows(report);
    std::ranges::stable_sort(rows, std::greater(), [](const auto& each) { return each.share.share; });
    segments_.clear();
    double from = 0;
    for (const Ranked<ModelRow>& each : rows) {
        const double to = std::min(1.0, from + each.share.share);
        const QString tip = QStringLiteral("%1  %2\n%3, %4")
                                .arg(toQt(each.part->operation), toQt(place_text(*each.part)),
                                     toQt(share_text(each.share)), secondsOf(each.share.seconds));
        segments_.push_back(
            {static_cast<std::size_t>(each.part - report.profile.rows.data()), from, to, operatorOf(*each.part), tip});
        from = to;
    }
    update();
}

void ShareBar::choose(std::optional<std::size_t> row) {
    row_ = row;
    update();
}

const ShareBar::Segment* ShareBar::at(double x) const {
    const double place = x / std::max(1, width());
    const auto found =
        std::ranges::find_if(segments_, [&](const Segment& each) { return each.from <= place && place < each.to; });
    return found == segments_.end() ? nullptr : &*found;
}

bool ShareBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Segment* segment = at(help->pos().x());
    QToolTip::showText(help->globalPos(), segment == nullptr ? tr("Between the calls") : segment->tip, this);
    return true;
}

void ShareBar::mousePressEvent(QMouseEvent* event) {
    if (const Segment* segment = at(event->position().x())) emit chosen(segment->row);
}

void ShareBar::paint(QPainter& painter, const Segment& segment, const QColor& colour) const {
    const QRectF box(segment.from * width(), 0, (segment.to - segment.from) * width(), height());
    const bool is_chosen = row_ == segment.row, is_wide = box.width() > 3;
    QColor fill = colour;
    if (row_ && !is_chosen) fill.setAlphaF(0.35F);
    painter.fillRect(is_wide ? box.adjusted(0, 0, -1, 0) : box, fill);
    if (box.width() < fontMetrics().horizontalAdvance(segment.name) + 10) return;
    painter.setPen(row_ && !is_chosen ? palette().color(QPalette::Text) : palette().color(QPalette::Base));
    painter.drawText(box, Qt::AlignCenter, segment.name);
}

void ShareBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), coloursOf(palette()).grid);
    const auto series = coloursOf(palette()).series;
    for (std::size_t i = 0; i < segments_.size(); ++i) paint(painter, segments_[i], series[i % series.size()]);
}

}  // namespace kernelgen::studio
