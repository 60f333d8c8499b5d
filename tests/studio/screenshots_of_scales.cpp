// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of scales for FP8: layers of a model, and a tensor whose amax grows.
#include <QCheckBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <cmath>

#include "app/studio/application/language.h"
#include "app/studio/scaling/scaling_window.h"
#include "app/studio/theme/theme.h"
#include "core/verify/npy.h"
#include "tests/studio/photographer.h"

namespace kernelgen::studio {

using testing::Photographer;
using testing::waitUntil;

namespace {

QStringList writeSteps(const QTemporaryDir& folder) {
    QStringList files;
    for (int step = 0; step < 4; ++step) {
        std::vector<double> values(64 * 512);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto place = static_cast<double>(i);
            values[i] = (1 + 0.3 * step) * std::sin(place * 1.7) * std::exp(3 * std::cos(place * 0.37)) * 0.1;
        }
        files << folder.filePath(QString("layers.%1.mlp.npy").arg(step));
        NpyWriter(files.back().toStdString(), DType::f32, {64, 512}).append(std::span(values));
    }
    return files;
}

void photographSetup(const Photographer& photographer, const QStringList& files, const QString& suffix) {
    ScalingWindow window;
    window.setAttribute(Qt::WA_DeleteOnClose, false);
    window.resize(1280, 720);
    window.show();
    photographer.take(window, "51-fp8-empty-" + suffix);
    const auto answered = [&] { return !window.isAsking(); };
    auto* tabs = window.findChild<QTabWidget*>("scaling_tabs");
    window.open(files);
    waitUntil(answered);
    photographer.take(window, "52-fp8-layer-" + suffix);
    tabs->setCurrentIndex(2);
    photographer.take(window, "53-fp8-policy-" + suffix);
    tabs->setCurrentIndex(0);
    window.findChild<QCheckBox*>("scaling_one_tensor")->setChecked(true);
    waitUntil(answered);
    photographer.take(window, "54-fp8-delayed-" + suffix);
    tabs->setCurrentIndex(1);
    photographer.take(window, "55-fp8-steps-" + suffix);
}

}  // namespace

void testing::photographScales(const Photographer& photographer) {
    const QTemporaryDir folder;
    const QStringList files = writeSteps(folder);
    photographSetup(photographer, files, "light");
    applyTheme(Theme::dark);
    {
        const Language chinese("zh_CN");
        photographSetup(photographer, files, "dark-chinese");
    }
    applyTheme(Theme::light);
}

}  // namespace kernelgen::studio
