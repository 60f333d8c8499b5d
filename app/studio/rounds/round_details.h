// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>
#include <QTextBrowser>

#include "app/studio/rounds/difference_view.h"
#include "app/studio/rounds/lessons_form.h"

namespace kernelgen::studio {

/// The selected round: everything of it, what it changed, and what it taught.
class RoundDetails : public QTabWidget {
    Q_OBJECT

public:
    RoundDetails(Session& session, RoundsModel& model, QWidget* parent = nullptr);

    /// Shows the difference of the selected round to another, or to the one that is chosen already.
    void showDifference(std::optional<int> base);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    Session& session_;
    QTextBrowser* page_;
    DifferenceView* difference_;
    LessonsForm* lessons_;
    std::optional<int> shown_;
};

}  // namespace kernelgen::studio
