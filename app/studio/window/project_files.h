// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/studio/session/session.h"
#include "core/report/report.h"

namespace kernelgen::studio {

struct ExportedLog;

/// What a person does with projects and their files, with the questions that it takes.
class ProjectFiles : public QObject {
    Q_OBJECT

public:
    ProjectFiles(Session& session, QWidget& window);

    void create();
    void choose();
    void open(const QString& path);  ///< errors are shown
    void openSample(const QString& sample);
    void import(const QString& source = {});   ///< files of one's own become a project
    void showModel(const QString& file = {});  ///< a model's operators; "" for the model that was shown last
    void showScaling();                        ///< the window for scales of FP8
    bool save();
    void saveAs();
    void revert();
    void close();
    void exportLog(Tongue tongue);
    void generate();
    void restoreRound();  ///< the selected one
    /// False where the user wants to go on with what is open.
    bool mayLeave();

signals:
    void told(const QString& message);
    void exported(const QString& log);

private:
    void openMade(const QString& folder);
    void openPart(const QString& folder);
    bool mayDropQueue();
    bool mayDropRuns();
    bool mayStop();
    bool mayDropChanges();
    void report(const Result<ExportedLog>& exported);

    Session& session_;
    QWidget& window_;
};

}  // namespace kernelgen::studio
