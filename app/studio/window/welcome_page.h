// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/application/settings.h"

class QVBoxLayout;

namespace kernelgen::studio {

/// What is shown while no project is open: what to do next, recent projects and samples.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(Settings& settings, QWidget* parent = nullptr);

    void refresh();
    static QString samplesFolder();  ///< where the user's copies of samples are

protected:
    void changeEvent(QEvent* event) override;

signals:
    void newProject();
    void chooseProject();
    void showModel();
    void openProject(const QString& folder);
    void openSample(const QString& folder);
    void takeTour();

private:
    void addTitle();
    void addButtons();
    void addLinks(const QString& title, const QString& links, void (WelcomePage::*open)(const QString&));

    Settings& settings_;
    QVBoxLayout* column_;
    std::vector<QWidget*> links_;
};

}  // namespace kernelgen::studio
