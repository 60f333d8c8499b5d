// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/studio/session/session.h"
#include "app/studio/window/tour_card.h"

class QMainWindow;

namespace kernelgen::studio {

class Panels;
class ProjectFiles;

/// The first-run tour: five steps in the window itself, each of which is a real thing that one does, or lets be done. A
/// step is over once it was done, in whatever way. It can be left at any time; what was done stays.
class Tour : public QObject {
    Q_OBJECT

public:
    Tour(QMainWindow& window, Session& session, Panels& panels, ProjectFiles& files);

    void begin();  ///< at its first step; where it is on, its card gets the focus
    void leave();
    bool isOn() const { return step_ >= 0; }

protected:
    /// Esc that nothing else in the window takes leaves the tour.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Step {
        QString title, text;
        QString dock;               ///< that it is about, shown while the step is; "" for none
        std::function<void()> act;  ///< for who asks for it
        std::function<bool()> isDone;
        std::function<QString()> state;  ///< what is under way, or keeps it from being done
    };
    void makeSteps();
    void openSample();
    std::optional<std::pair<std::string, std::int64_t>> nextValue() const;
    void moveSlider();
    QString whyNotRun() const;
    void go(int step);
    void watch();
    QRect partOf(const Step& step) const;

    QMainWindow& window_;
    Session& session_;
    Panels& panels_;
    ProjectFiles& files_;
    TourCard* card_;
    Spotlight* spotlight_;
    QTimer watch_;
    std::vector<Step> steps_;
    int step_ = -1;
    // As they were when the step began.
    std::string variant_;
    Configuration configuration_;
    std::size_t rounds_ = 0;
    bool exported_ = false;
};

}  // namespace kernelgen::studio
