// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/tour.h"

#include <QKeyEvent>
#include <QMainWindow>
#include <algorithm>

#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/document/samples.h"
#include "app/studio/window/panels.h"
#include "app/studio/window/project_files.h"
#include "app/studio/window/welcome_page.h"

namespace kernelgen::studio {

Tour::Tour(QMainWindow& window, Session& session, Panels& panels, ProjectFiles& files)
    : QObject(&window),
      window_(window),
      session_(session),
      panels_(panels),
      files_(files),
      card_(new TourCard(window)),
      spotlight_(new Spotlight(window)) {
    makeSteps();
    connect(card_, &TourCard::left, this, &Tour::leave);
    connect(card_, &TourCard::acted, this, [this] {
        steps_[static_cast<std::size_t>(step_)].act();
        if (isOn()) watch();
    });
    connect(card_, &TourCard::advanced, this, [this] { go(step_ + 1); });
    connect(&files_, &ProjectFiles::exported, this, [this] { exported_ = true; });
    window_.installEventFilter(this);
    watch_.setInterval(200);
    connect(&watch_, &QTimer::timeout, this, &Tour::watch);
}

void Tour::makeSteps() {
    const auto nothing = [] { return QString(); };
    steps_ = {
        {tr("Open an operator"),
         tr("A project is an operator with its kernels and rounds. The tour opens a sample, as a copy of your own in "
            "%1: its definition is on the left, the source of its kernel in the middle.")
             .arg(WelcomePage::samplesFolder()),
         "operator", [this] { openSample(); }, [this] { return session_.document().isOpen(); }, nothing},
        {tr("Move a slider"),
         tr("The tunables are the kernel's tile sizes. Move one: the kernel is built in the background, and below the "
            "sliders stands what it takes."),
         "tunables", [this] { moveSlider(); },
         [this] {
             const Variant* variant = session_.variant();
             return variant != nullptr && (variant->name != variant_ || configuration_of(*variant) != configuration_);
         },
         [this] { return nextValue() ? QString() : tr("Nothing of this variant can be moved"); }},
        {tr("Verify and time it"),
         tr("F5 checks the kernel against a float64 reference. Only if it is right, it is timed in turns with its "
            "baseline. However it ends, it is a new row among the rounds."),
         "rounds", [this] { session_.run(tr("a round of the tour")); },
         [this] { return session_.rounds().history().rounds.size() > rounds_ && !session_.engine().isRunning(); },
         [this] { return session_.engine().isRunning() ? tr("It runs…") : whyNotRun(); }},
        {tr("See why it is so fast, or so slow"),
         tr("The charts show the speedup with its interval, and the place on the roofline. Diagnosis "
            "(Ctrl+Shift+D) names the causes, the lines that they are about, and what mending them could gain."),
         "diagnosis", [this] { panels_.docks.raise(*panels_.docks["diagnosis"]); },
         [this] { return panels_.docks.isInFront(*panels_.docks["diagnosis"]); }, nothing},
        {tr("Write it down"),
         tr("Ctrl+E writes optimization_log.md with its charts. And then: Ctrl+Shift+F5 queues twenty configurations "
            "for the night, F7 finds the best one, Ctrl+Shift+P finds any action, F1 is the guide."),
         "", [this] { files_.exportLog(tongueOfInterface()); }, [this] { return exported_; }, nothing}};
}

void Tour::openSample() {
    const QStringList all = samples();
    const auto simplest = std::ranges::find_if(all, [](const QString& each) { return each.endsWith("/bias_add"); });
    if (!all.isEmpty()) files_.openSample(simplest == all.end() ? all.front() : *simplest);
}

/// Of the first tunable that has another value: the next larger one, or else the first.
std::optional<std::pair<std::string, std::int64_t>> Tour::nextValue() const {
    const Variant* variant = session_.variant();
    if (variant == nullptr) return std::nullopt;
    for (const Tunable& each : variant->tunables) {
        const auto larger = std::ranges::find_if(each.values, [&](std::int64_t value) { return value > each.value; });
        const auto next = larger == each.values.end() ? each.values.begin() : larger;
        if (next != each.values.end() && *next != each.value) return std::pair(each.name, *next);
    }
    return std::nullopt;
}

void Tour::moveSlider() {
    if (const auto next = nextValue())
        session_.document().setTunable(session_.variant()->name, next->first, next->second);
}

QString Tour::whyNotRun() const {
    const QString device = session_.whyNothingRuns();
    if (!device.isEmpty()) return device;
    const auto plan = session_.plan();
    return plan ? QString() : toQt(plan.error());
}

void Tour::begin() {
    if (!isOn()) go(0);
    card_->setFocus(Qt::OtherFocusReason);
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    const bool is_escape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!isOn() || !is_escape) return QObject::eventFilter(watched, event);
    leave();
    return true;
}

void Tour::leave() {
    step_ = -1;
    watch_.stop();
    const bool had_focus = card_->isAncestorOf(window_.focusWidget()) || card_->hasFocus();
    card_->hide();
    spotlight_->hide();
    if (had_focus) window_.setFocus(Qt::OtherFocusReason);
}

void Tour::go(int step) {
    if (step >= static_cast<int>(steps_.size())) return leave();
    step_ = step;
    const Variant* variant = session_.variant();
    variant_ = variant == nullptr ? std::string() : variant->name;
    configuration_ = variant == nullptr ? Configuration() : configuration_of(*variant);
    rounds_ = session_.rounds().history().rounds.size();
    exported_ = false;
    const Step& now = steps_[static_cast<std::size_t>(step)];
    card_->showStep(step + 1, static_cast<int>(steps_.size()), now.title, now.text);
    const bool is_shown_by_user = now.dock == "diagnosis";
    if (session_.document().isOpen() && !now.dock.isEmpty() && !is_shown_by_user)
        panels_.docks.raise(*panels_.docks[now.dock]);
    card_->show();
    watch();
    watch_.start();
}

/// Looks how far the step is, and where its part stands now. A project that was closed is opened first again. What
/// cannot be done here may be passed over.
void Tour::watch() {
    if (step_ > 0 && !session_.document().isOpen()) return go(0);
    const Step& now = steps_[static_cast<std::size_t>(step_)];
    const bool done = now.isDone();
    const QString state = now.state();
    const bool runs = session_.engine().isRunning();
    const bool is_kept_back = !done && !runs && !state.isEmpty();
    card_->showState({.text = done ? tr("✓ Done") : state,
                      .is_kept_back = is_kept_back,
                      .may_go_on = done || is_kept_back,
                      .can_act = !done && state.isEmpty()});
    const QRect part = partOf(now);
    spotlight_->setVisible(!part.isEmpty());
    if (spotlight_->geometry() != part) spotlight_->setGeometry(part);
    spotlight_->raise();
    card_->raise();
    card_->standBeside(part);
}

/// Where the dock of a step is seen; empty where it is not.
QRect Tour::partOf(const Step& step) const {
    if (step.dock.isEmpty() || !session_.document().isOpen()) return {};
    QDockWidget* dock = panels_.docks[step.dock];
    if (!panels_.docks.isInFront(*dock) || dock->isFloating()) return {};
    constexpr int around = 4;  // so that the frame does not hide the title
    const QRect place(dock->mapTo(&window_, QPoint()), dock->size());
    return place.adjusted(-around, -around, around, around).intersected(window_.rect());
}

}  // namespace kernelgen::studio
