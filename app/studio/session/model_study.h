// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/engine/engine.h"
#include "core/files/model_file.h"
#include "core/report/model_report.h"

namespace kernelgen::studio {

/// A model's file, what its operators take, and the projects that are put in the place of calls. Other threads read
/// files; the engine executes the model. Lives in the GUI thread.
class ModelStudy : public QObject {
    Q_OBJECT

public:
    explicit ModelStudy(Engine& engine, QObject* parent = nullptr);

    /// Reads a file, without executing it, in place of the present one.
    void read(const QString& file);
    const QString& file() const { return file_; }
    bool isReading() const { return reads_; }
    QStringList cases() const;  ///< names; none before the file was read

    /// Executes the model, which a person must have asked for.
    void measure(const QString& caseName, const QString& device, double limitSeconds);
    /// Executes it again and makes a project of calls, in a new folder in `parent`; `projectMade` follows.
    void makeProject(const CallRange& calls, const QString& parent);
    bool isAsking() const { return asks_ || writes_; }  ///< the model, or its project is being written

    /// Tells the whole again with a project's fastest right round in the place of its calls, beside those put before.
    void putInPlace(const QString& project);
    void takeOutOfPlace();  ///< all of them

    /// Null where there is none. Another object whenever it changes.
    std::shared_ptr<const ModelReport> report() const { return report_; }
    void take(ModelReport report);
    /// Why the last thing that was asked for was not done; "" where it was.
    const QString& problem() const { return problem_; }
    bool asksForPython() const { return asks_for_python_; }  ///< the problem is that there is no interpreter

signals:
    void changed();
    void projectMade(const QString& folder);

private:
    using Reading = std::shared_ptr<Validated<ModelFile>>;
    using Parts = std::shared_ptr<Result<std::vector<MeasuredPart>>>;
    using Written = std::shared_ptr<Validated<QString>>;
    void ask(ModelRequest request);
    void takeRead();
    void takeAnswer(const ModelOutcome& outcome);
    void takeWritten();
    void takeParts();
    void followCeilings();
    void tell(const QString& problem, bool asksForPython = false);

    Engine& engine_;
    QString file_, parent_of_projects_, problem_;
    std::optional<ModelFile> model_;
    std::optional<ModelRequest> measured_;  ///< what the report answers
    std::shared_ptr<const ModelReport> report_;
    QString asked_project_, asked_file_;  ///< of the parts that are being read
    QStringList in_place_;                ///< folders of projects
    bool reads_ = false, asks_ = false, writes_ = false, asks_for_python_ = false;
    QFutureWatcher<Reading> reading_;
    QFutureWatcher<Written> writing_;
    QFutureWatcher<Parts> loading_;
};

}  // namespace kernelgen::studio
