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

signals:
    void newProject();
    void chooseProject();
    void openProject(const QString& folder);

private:
    void addLinks(const QString& title, const QStringList& folders);

    Settings& settings_;
    QVBoxLayout* column_;
    std::vector<QWidget*> links_;
};

}  // namespace kernelgen::studio
