// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/project/project.h"
#include "core/report/report.h"
#include "core/round/history.h"
#include "core/tune/tuning.h"

namespace kernelgen::studio {

/// What an export wrote.
struct ExportedLog {
    std::filesystem::path log;
    std::vector<std::filesystem::path> charts;
};

/// A chart of a log, as SVG. Its path is relative to the log's folder.
struct DrawnChart {
    Figure figure;
    QByteArray svg;
};

/// Writes `optimization_log.md` into a project's folder, with the charts of its rounds as SVG beside it in
/// `optimization_log_charts/` and linked from it. Files are read and written in other threads, charts drawn one in each
/// turn of the event loop. Needs a QApplication, but no display. Lives in the GUI thread.
class LogExport : public QObject {
    Q_OBJECT

public:
    LogExport(Project project, std::shared_ptr<const History> history, Tongue tongue, QObject* parent = nullptr);

    void start();
    /// The exported log; valid from `finished` on. Errors: a folder that cannot be written.
    const Result<ExportedLog>& result() const { return result_; }

signals:
    void finished();

private:
    /// What the charts are drawn of, beside the history.
    struct Details {
        std::map<std::string, RoundDetail> rounds;  ///< by device, its newest timed round
        std::vector<std::shared_ptr<const Tuning>> tunings;
    };
    static Details readDetails(const std::filesystem::path& folder, const History& history);
    void plan(const Details& details);
    void drawNext();
    void write();

    Project project_;
    std::shared_ptr<const History> history_;
    Tongue tongue_;
    std::vector<std::function<DrawnChart()>> to_draw_;
    std::vector<DrawnChart> drawn_;
    Result<ExportedLog> result_;
};

}  // namespace kernelgen::studio
