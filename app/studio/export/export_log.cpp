// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/export/export_log.h"

#include <QTimer>
#include <QtConcurrentRun>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "app/studio/charts/reference_round.h"
#include "app/studio/export/log_charts.h"
#include "core/base/file.h"
#include "core/files/sources.h"
#include "core/project/own_files.h"

namespace kernelgen::studio {

namespace {

namespace fs = std::filesystem;

Result<void> writeChart(const fs::path& folder, const DrawnChart& chart) {
    const fs::path file = folder / chart.figure.path;
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    if (problem) return fail(file.parent_path().string() + ": cannot be made: " + problem.message());
    return write_file_atomic(file, {chart.svg.constData(), static_cast<std::size_t>(chart.svg.size())});
}

/// Charts of an earlier export that this one did not make, and their folder where nothing else is in it.
void removeOld(const fs::path& folder, const std::vector<fs::path>& made) {
    std::error_code ignored;
    for (const fs::directory_entry& each : fs::directory_iterator(folder, ignored)) {
        const bool is_made = std::ranges::find(made, each.path()) != made.end();
        if (!is_made && isChartFile(each.path().filename().string())) fs::remove(each.path(), ignored);
    }
    if (made.empty()) fs::remove(folder, ignored);  // which only an empty one is
}

Result<ExportedLog> writeLog(const Project& project, const History& history, Tongue tongue,
                             const std::vector<DrawnChart>& charts) {
    ExportedLog exported{.log = project.folder / own_files::log, .charts = {}};
    std::vector<Figure> figures;
    for (const DrawnChart& each : charts) {
        const Result<void> written = writeChart(project.folder, each);
        if (!written) return std::unexpected(written.error());
        figures.push_back(each.figure);
        exported.charts.push_back(project.folder / each.figure.path);
    }
    const Result<Consistency> checked = check_consistency(project, source_texts(project));
    const Result<void> written = write_file_atomic(
        exported.log, optimization_log(project, history, tongue, all_rounds, figures, checked ? &*checked : nullptr));
    if (!written) return std::unexpected(written.error());
    removeOld(project.folder / charts_folder, exported.charts);
    return exported;
}

}  // namespace

LogExport::LogExport(Project project, std::shared_ptr<const History> history, Tongue tongue, QObject* parent)
    : QObject(parent),
      project_(std::move(project)),
      history_(std::move(history)),
      tongue_(tongue),
      result_(fail("the export has not ended")) {}

LogExport::Details LogExport::readDetails(const std::filesystem::path& folder, const History& history) {
    std::set<std::string> devices;
    for (const Round& round : history.rounds) devices.insert(round.device);
    Details details;
    for (const std::string& device : devices) {
        const Round* newest = newestTimedOn(history, device);
        if (newest == nullptr) continue;
        if (Result<RoundDetail> detail = load_round_detail(folder, newest->number))
            details.rounds[device] = std::move(*detail);
    }
    details.tunings = tuningsForLog(folder);
    return details;
}

void LogExport::start() {
    QtConcurrent::run([folder = project_.folder, history = history_] {
        return readDetails(folder, *history);
    }).then(this, [this](const Details& details) { plan(details); });
}

void LogExport::plan(const Details& details) {
    to_draw_ = chartsOf(history_, details.rounds);
    for (const std::shared_ptr<const Tuning>& each : details.tunings)
        std::ranges::move(chartsOf(each), std::back_inserter(to_draw_));
    drawNext();
}

void LogExport::drawNext() {
    if (drawn_.size() == to_draw_.size()) return write();
    drawn_.push_back(to_draw_[drawn_.size()]());
    QTimer::singleShot(0, this, &LogExport::drawNext);
}

void LogExport::write() {
    QtConcurrent::run([project = project_, history = history_, tongue = tongue_, charts = drawn_] {
        return writeLog(project, *history, tongue, charts);
    }).then(this, [this](const Result<ExportedLog>& result) {
        result_ = result;
        emit finished();
    });
}

}  // namespace kernelgen::studio
