// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "app/studio/session/session.h"

class QFormLayout;
class QLabel;

namespace kernelgen::studio {

/// The state of the present configuration's build, and its resources.
class BuildCard : public QWidget {
    Q_OBJECT

public:
    explicit BuildCard(Session& session, QWidget* parent = nullptr);

    /// Why what there is is not built; "" where it is.
    static QString obstacleOf(Session& session);

    /// Updates the card for the present project.
    void refresh();

signals:
    void goToSource(const QString& file, int line, int column);
    void settingsWanted();  ///< to name an interpreter

protected:
    void changeEvent(QEvent* event) override;

private:
    enum class Tone { plain, good, warning, bad };
    void tick();
    void takeOutcome(const BuildOutcome& outcome);
    void showFailure(const BuildResult& result);
    void offerSettings();
    void say(Tone tone, const QString& text, const QString& rich = {});
    void showResources(const BuildResult& result);
    void showUnknown(const QString& text);
    void applyTone();

    Session& session_;
    QLabel *mark_, *state_;
    QWidget* resources_;
    QFormLayout* rows_;
    QTimer ticks_;
    QElapsedTimer since_start_;
    QString stage_;  ///< of the build under way
    CompilerMessage first_error_;
    Tone tone_ = Tone::plain;
    bool obstructed_ = true;  ///< what there is is not built
};

}  // namespace kernelgen::studio
