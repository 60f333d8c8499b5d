// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <set>
#include <string>
#include <vector>

#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace kernelgen::studio {

class FindingCard;
class IndicatorStrip;
class StoryCard;

/// Why the selected round is as slow as it is, what can be done about it, and the loop that does it by itself.
class DiagnosisPanel : public QWidget {
    Q_OBJECT

public:
    explicit DiagnosisPanel(Session& session, QWidget* parent = nullptr);

    void optimize();   ///< asks how, and starts it
    void applyBest();  ///< the most promising strategy, as the next round
    QString whyNotOptimized() const { return session_.strategyActions().whyNotOptimized(); }

signals:
    void goToSource(const QString& file, int line, int column);
    void goalsWanted();
    void restoreWanted();  ///< of the selected round

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void prepareHead();
    void makeContent();
    void connectSession();
    void refreshSoon();
    void refresh();
    void fillCases();
    void showCards();
    void addCard(FindingCard* card);
    QLabel* remark(const QString& text) const;
    void addRemarks(const Diagnosis& diagnosis);
    void addMissing(const QStringList& missing);
    void addSection(const QString& title, const char* id, QWidget* content, bool& is_open);
    void addMade(QWidget* part);
    void addSubject(const Round& round, const Case& binding);
    void addOutcome(const Round& round);
    void clearCards();
    void updateButtons();
    QString message() const;
    void apply(std::size_t proposal);

    Session& session_;
    QTimer turn_;
    QComboBox* cases_;
    QPushButton* optimize_;
    IndicatorStrip* indicators_;
    QScrollArea* scroll_;
    QVBoxLayout* column_ = nullptr;
    StoryCard* story_;
    QLabel* message_;
    std::vector<QWidget*> made_;  ///< for the round and the case that are shown
    std::vector<FindingCard*> cards_;
    std::set<std::string> open_;  ///< rules whose cards tell why
    bool missing_open_ = false;   ///< whether what was not measured is unfolded
    bool counters_open_ = false;  ///< whether the counters are
    std::optional<int> shown_;    ///< round
};

}  // namespace kernelgen::studio
