// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

#include "app/studio/session/session.h"
#include "core/lang/analysis.h"

class QComboBox;
class QGridLayout;
class QLabel;

namespace kernelgen::studio {

/// Figures of a case that follow from the definition: operations, bytes, and the shortest time that the chosen device
/// allows; or the reason why they are unknown.
class AnalysisView : public QWidget {
    Q_OBJECT

public:
    /// Analyses `document`, on the session's device.
    AnalysisView(Session& session, ProjectDocument& document, QWidget* parent = nullptr);

    QComboBox& cases() { return *cases_; }
    /// The text beside a caption such as "FLOPs"; for tests.
    QString textOf(const QString& caption) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Line {
        QString caption;
        QLabel *name, *value;
    };
    void makeLines();
    void refresh();
    void fillCases();
    void show(const Case& binding);
    void showLimits(const Analysis& analysis, DType arithmetic);
    void say(const QString& message);  ///< in place of the figures
    QString problemOf(int number) const;
    QLabel* value(const QString& caption) const;

    Session& session_;
    ProjectDocument& document_;
    QComboBox* cases_;
    QLabel* message_;
    QWidget* figures_;
    std::vector<Line> lines_;
    QLabel* measure_;
    QHash<QString, QString> without_ceilings_;  ///< by device: why the last measurement gave none
};

}  // namespace kernelgen::studio
