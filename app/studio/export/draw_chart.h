// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QSize>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_picture.h"
#include "app/studio/charts/chart_view.h"
#include "app/studio/export/export_log.h"
#include "app/studio/export/log_charts.h"

namespace kernelgen::studio {

inline constexpr QSize picture_size(900, 480);

/// A chart of a log, in light colours, whatever the window's are. `present` gives the view its data.
template <class View, class Present>
DrawnChart draw(const QString& file, const QString& title, const Present& present) {
    View view;
    view.setPalette(lightPalette());
    view.resize(picture_size);
    view.plot().resize(picture_size);
    present(view);
    view.setHeading(title);
    return {.figure = {.title = title.toStdString(), .path = std::string(charts_folder) + "/" + file.toStdString()},
            .svg = svgOf(view, picture_size)};
}

/// "roofline_cuda-0.svg"
inline QString fileOf(const QString& kind, const std::string& of) {
    static const QRegularExpression other("[^A-Za-z0-9]+");
    return QStringLiteral("%1_%2.svg").arg(kind, toQt(of).replace(other, "-"));
}

}  // namespace kernelgen::studio
