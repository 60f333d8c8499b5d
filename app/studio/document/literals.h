// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>
#include <map>
#include <string>
#include <vector>

#include "app/studio/document/source_file.h"
#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen::studio {

class ProjectDocument;

/// A literal of a Python source that is the value of a tunable.
struct Literal {
    std::string tunable;
    std::int64_t value = 0;
    int begin = 0, end = 0;  ///< in characters
};

/// A text with such edits made, which are ascending and apart.
std::string edited(const std::string& text, const std::vector<TextEdit>& edits);

/// Finds the literals of tunables in the sources of Triton variants. Python searches them in the background, soon after
/// a source has changed; no source is executed. Lives in the GUI thread.
class Literals : public QObject {
    Q_OBJECT

public:
    explicit Literals(ProjectDocument& document, QObject* parent = nullptr);

    void forget();  ///< all, and looks anew, as when another Python is to be used

    /// The literals of a variant's present source, in order; none while they are unknown.
    std::vector<Literal> of(const Variant& variant) const;
    /// Tunables whose literal differs from the project's value, with the literal's value.
    Configuration differing(const Variant& variant) const;
    /// The edits that give the source these values; none where it has them.
    std::vector<TextEdit> edits(const Variant& variant, const Configuration& configuration) const;
    /// Records that `edits` were made to the source's earlier text.
    void take(const std::string& file, const std::vector<TextEdit>& edits);
    const QString& problem() const { return problem_; }  ///< why nothing is known, or ""

signals:
    void changed();

private:
    struct Known {
        std::string text;  ///< of the source that they are of
        std::vector<Literal> literals;
    };
    struct Asked {
        std::string file, entry, text;
    };
    struct Found {
        std::map<std::string, Known> known;  ///< by file
        QString problem;
    };
    static Found find(const std::vector<Asked>& asked);
    void look();  ///< soon
    void ask();
    void takeFound();
    std::vector<Asked> sources() const;

    ProjectDocument& document_;
    QTimer settle_;
    QFutureWatcher<Found> finding_;
    std::map<std::string, Known> known_;
    QString problem_;
};

}  // namespace kernelgen::studio
