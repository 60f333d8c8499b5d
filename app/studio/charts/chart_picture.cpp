// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/chart_picture.h"

#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "app/studio/charts/chart_view.h"
#include "core/base/file.h"

namespace kernelgen::studio {

namespace {

constexpr double image_scale = 2;

Result<void> write(const QString& file, const QByteArray& bytes) {
    return write_file_atomic(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QByteArray pngOf(ChartView& chart) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    imageOf(chart).save(&buffer, "PNG");
    return bytes;
}

QByteArray pdfOf(ChartView& chart) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    const QSize size = chart.plot().size();
    writer.setTitle(chart.title());
    writer.setResolution(chart.logicalDpiX());
    writer.setPageMargins({});
    writer.setPageSize(
        QPageSize(QSizeF(size) * 72.0 / chart.logicalDpiX(), QPageSize::Point, {}, QPageSize::ExactMatch));
    QCPPainter painter;
    painter.begin(&writer);
    painter.setMode(QCPPainter::pmVectorized);
    chart.plot().toPainter(&painter, size.width(), size.height());
    painter.end();
    return bytes;
}

}  // namespace

QByteArray svgOf(ChartView& chart, const QSize& size) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator(QSvgGenerator::SvgVersion::Svg11);
    generator.setOutputDevice(&buffer);
    generator.setTitle(chart.title());
    generator.setDescription({});
    generator.setSize(size);
    generator.setViewBox(QRect({}, size));
    generator.setResolution(chart.logicalDpiX());
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.fillRect(QRect({}, size), chart.palette().color(QPalette::Base));
    chart.plot().toPainter(&painter, size.width(), size.height());
    painter.end();
    return bytes;
}

QImage imageOf(ChartView& chart) {
    const QSize size = chart.plot().size();
    return chart.plot().toPixmap(size.width(), size.height(), image_scale).toImage();
}

Result<void> savePicture(ChartView& chart, const QString& file) {
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == "png") return write(file, pngOf(chart));
    if (suffix == "svg") return write(file, svgOf(chart, chart.plot().size()));
    if (suffix == "pdf") return write(file, pdfOf(chart));
    return fail(ChartView::tr("%1: a chart is written as .png, .svg or .pdf").arg(file).toStdString());
}

void copyPicture(ChartView& chart) { QGuiApplication::clipboard()->setImage(imageOf(chart)); }

QString askAndSavePicture(ChartView& chart) {
    const QString png = ChartView::tr("PNG image (*.png)"), svg = ChartView::tr("SVG drawing (*.svg)"),
                  pdf = ChartView::tr("PDF document (*.pdf)");
    QString chosen = svg;
    QString file = QFileDialog::getSaveFileName(&chart, ChartView::tr("Save chart"), chart.title() + ".svg",
                                                QStringList{svg, png, pdf}.join(";;"), &chosen);
    if (file.isEmpty()) return {};
    if (QFileInfo(file).suffix().isEmpty()) file += chosen == png ? ".png" : chosen == pdf ? ".pdf" : ".svg";
    const Result<void> written = savePicture(chart, file);
    return written ? QString() : QString::fromStdString(written.error().message);
}

}  // namespace kernelgen::studio
