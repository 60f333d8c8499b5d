// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/comparisons.h"

#include <QtConcurrentRun>
#include <algorithm>

#include "app/studio/application/text.h"

namespace kernelgen::studio {

void Comparisons::setFolder(const QString& folder) {
    all_.clear();
    delete generation_;
    generation_ = new QObject(this);
    emit changed();
    if (folder.isEmpty()) return;
    const auto read = [folder = folder.toStdString()] { return load_comparisons(folder); };
    QtConcurrent::run(read).then(generation_, [this](std::vector<Comparison> found) {
        for (Comparison& each : found) {
            if (!of(toQt(each.device))) all_.push_back(std::make_shared<const Comparison>(std::move(each)));
        }
        emit changed();
    });
}

std::shared_ptr<const Comparison> Comparisons::of(const QString& device) const {
    const auto found = std::ranges::find_if(all_, [&](const auto& each) { return toQt(each->device) == device; });
    return found == all_.end() ? nullptr : *found;
}

void Comparisons::take(std::shared_ptr<const Comparison> comparison) {
    std::erase_if(all_, [&](const auto& each) { return each->device == comparison->device; });
    all_.push_back(std::move(comparison));
    emit changed();
}

}  // namespace kernelgen::studio
