// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "app/studio/session/optimization_story.h"
#include "core/diagnose/rule.h"

class QLabel;
class QPushButton;

namespace kernelgen::studio {

class Section;

/// The optimization that runs or ran last: where it stands, why it ended, and what each of its rounds was made for,
/// what was expected of it and what came of it.
class StoryCard : public QFrame {
    Q_OBJECT

public:
    explicit StoryCard(const OptimizationStory& story, QWidget* parent = nullptr);

    void showStage(const QString& stage);    ///< of the round under work
    void setRules(std::vector<Rule> rules);  ///< which tell the findings' titles
    void refresh();

signals:
    void stopWanted();
    void roundWanted(int number);

protected:
    void changeEvent(QEvent* event) override;

private:
    QString stateText() const;
    QString roundsText() const;

    const OptimizationStory& story_;
    std::vector<Rule> rules_;
    QLabel *state_, *stage_, *rounds_;
    QPushButton *stop_, *best_;
    Section* done_;
};

}  // namespace kernelgen::studio
