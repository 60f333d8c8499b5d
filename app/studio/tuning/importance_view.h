// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/studio/tuning/tuning_view.h"
#include "core/tune/importance.h"

namespace kernelgen::studio {

/// How much each tunable matters, as bars, with the method named.
class ImportanceView : public TuningView {
    Q_OBJECT

public:
    explicit ImportanceView(QWidget* parent = nullptr);

protected:
    QString prepare() override;
    void draw() override;

private:
    void drawBar(const Importance::OfTunable& tunable, double place);

    std::optional<Importance> importance_;
};

}  // namespace kernelgen::studio
