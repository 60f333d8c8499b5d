// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTemporaryDir>
#include <QWidget>
#include <functional>
#include <memory>

#include "app/studio/session/session.h"
#include "tests/model_text.h"

namespace kernelgen::studio {
class ChartView;
}

namespace kernelgen::studio::testing {

using kernelgen::testing::model_text;

/// A session over settings of its own and a copy of a sample project, both gone with it.
class Studio {
public:
    /// The copy is of projects/NAME; "" for none. Its cases are replaced by small ones, and its budget by a short one.
    explicit Studio(const QString& sample = "bias_add");

    Session& session() { return *session_; }
    Settings& settings() { return *settings_; }
    QString folder() const { return folder_.path() + "/project"; }
    /// Opens the copy and starts the worker.
    void open();

private:
    QTemporaryDir folder_;
    std::unique_ptr<Settings> settings_;
    std::unique_ptr<Session> session_;
};

/// Gives a project on disk a Triton variant `triton` with its tests, and `torch`, its baseline: short files of a
/// person's, in place of any Python variants that it has.
void addPythonVariants(const QString& folder);

/// The widget of that name in a window, which must be there.
template <class Widget>
Widget* child(const QWidget& parent, const char* name) {
    auto* found = parent.findChild<Widget*>(name);
    if (found == nullptr) qFatal("no %s", name);
    return found;
}

/// Whether what takes long is tested too: `./dev test all` runs some classes a second time with it.
bool isNight();

/// Whether files can be read as Python here.
bool hasPython();

/// Lets events happen until `holds`, at most so long; whether it does.
bool waitUntil(const std::function<bool()>& holds, int milliseconds = 60000);

/// Shows a chart in a window, drawn.
void expose(ChartView& view);

/// A round that was recorded a while ago, without running anything: for models and charts. Deterministic in `number`.
Round exampleRound(int number, Status status = Status::ok);

/// A history of `count` such rounds, each the parent of the next.
History exampleHistory(int count);
std::shared_ptr<const History> sharedHistory(int rounds);

/// Writes `history.jsonl` with those rounds into a project's folder.
void writeHistory(const QString& folder, int count);
void writeHistory(const QString& folder, const History& history);

/// A tuning of `host` that was recorded a while ago, of so many configurations, up to 12,544; not ended. Every eleventh
/// failed. BLOCK_N matters most, then BLOCK_M.
Tuning exampleTuning(int count);

/// What was measured of a model of two blocks: 10 calls in 7 rows and two groups, with ceilings where wanted.
ModelReport exampleModel(bool with_ceilings = true);

/// Records such a round of the project's `host` in full, as round 0, without running anything.
void writeRound(const QString& folder);

/// Stores round 0 of a project as its gate's baseline, which must be recorded, and writes so many checks against it.
/// Every ninth found its case slower. Deterministic.
void writeChecks(const QString& folder, int count);

/// Writes the tuning's file into a project's folder.
void writeTuning(const QString& folder, const Tuning& tuning);

/// Gives a project on disk a narrow and a wide case, and tunings of `host` that found another configuration for each.
void writeTuningsOfTwoCases(const QString& folder);

}  // namespace kernelgen::studio::testing
