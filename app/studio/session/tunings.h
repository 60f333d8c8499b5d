// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/engine/outcomes.h"
#include "core/tune/tuning.h"

namespace kernelgen::studio {

/// The tunings of the open project, and the one that is shown. Other threads read files; the one that runs grows as the
/// engine tells of it. Lives in the GUI thread.
class Tunings : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// The project whose tunings these are, or "" for none. Its last tuning is shown.
    void setFolder(const QString& folder);
    const std::vector<int>& numbers() const { return numbers_; }  ///< ascending
    bool isLoading() const { return loading_; }

    /// The tuning that is shown; null where there is none. It changes only within this thread, followed by a signal.
    std::shared_ptr<const Tuning> shown() const { return shown_; }
    void show(int number);
    /// Whether the last tuning's command has something left to do.
    bool canContinue() const { return unfinished_; }

    void take(const TuningNews& news);
    void finish(const TuningEnd& end);

signals:
    void changed();  ///< another tuning is shown, there is one more, or it has ended
    void grew();     ///< the tuning that is shown has further results
    void failed(const QString& problem);

private:
    struct Read {
        std::vector<int> numbers;
        Result<std::shared_ptr<Tuning>> tuning;
        bool can_go_on = false;  ///< the last one's command
        Said unread;             ///< why the newest cannot be read, where an older one stands for it
    };
    void read(int number);
    void takeRead(const Read& read);
    void begin(const TuningHead& head);

    QString folder_;
    std::vector<int> numbers_;
    std::shared_ptr<Tuning> shown_, live_;         ///< live: it runs, or has run last
    std::map<Configuration, std::size_t> places_;  ///< of the live one's configurations
    bool loading_ = false, unfinished_ = false;
    std::optional<int> asked_;       ///< of the tunings that a person wants to see
    QObject* generation_ = nullptr;  ///< dies with the project: answers of an older one are dropped
};

}  // namespace kernelgen::studio
