// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/theme/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace kernelgen::studio {

namespace {

/// Draws an SVG whose `currentColor` is a palette's.
class TintedSvg : public QIconEngine {
public:
    TintedSvg(QByteArray svg, QPalette palette) : svg_(std::move(svg)), palette_(std::move(palette)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Normal;
        QByteArray tinted = svg_;
        tinted.replace("currentColor", palette_.color(group, QPalette::ButtonText).name().toLatin1());
        QSvgRenderer(tinted).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, pixmap.rect(), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new TintedSvg(svg_, palette_); }

private:
    QByteArray svg_;
    QPalette palette_;
};

}  // namespace

QIcon icon(const QString& name, const QPalette& palette) {
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new TintedSvg(file.readAll(), palette));
}

QIcon dot(const QColor& colour) {
    constexpr int size = 32;  // sharp at up to three times its size in a row
    QIcon result;
    for (const auto mode : {QIcon::Normal, QIcon::Selected}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(mode == QIcon::Selected ? QPen(Qt::white, 4) : QPen(Qt::NoPen));
        painter.setBrush(colour);
        painter.drawEllipse(QRectF(2, 2, size - 4, size - 4));
        result.addPixmap(pixmap, mode);
    }
    return result;
}

}  // namespace kernelgen::studio
