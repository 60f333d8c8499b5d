// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <map>
#include <memory>

#include "core/round/history.h"

namespace kernelgen::studio {

/// The rounds of the open project. Other threads read them; the old rounds are shown until the new ones are read. Lives
/// in the GUI thread.
class RoundStore : public QObject {
    Q_OBJECT

public:
    explicit RoundStore(QObject* parent = nullptr);
    ~RoundStore() override;

    /// The project whose rounds these are, or "" for none.
    void setFolder(const QString& folder);
    void reload();
    bool isLoading() const { return loading_; }

    const History& history() const { return *history_; }
    /// The same history, for use over a longer time or in other threads; never null.
    const std::shared_ptr<const History>& sharedHistory() const { return history_; }
    const Round* round(int number) const;

    /// The full record of a round. Null: it is being read, and `detailLoaded` follows.
    std::shared_ptr<const RoundDetail> detail(int number);

signals:
    void changed();  ///< `history()` is another
    void failed(const QString& problem);
    void detailLoaded(int number);  ///< `detail` answers now, or `detailProblem` says why it does not

public:
    QString detailProblem(int number) const;

private:
    struct Detail {
        std::shared_ptr<const RoundDetail> detail;
        QString problem;
    };
    using Loaded = Result<std::shared_ptr<const History>>;
    void take(const Loaded& loaded);

    QString folder_;
    bool loading_ = false;
    bool again_ = false;
    std::shared_ptr<const History> history_;
    std::map<int, Detail> details_;  ///< an entry without detail and problem is being read
    QObject* generation_ = nullptr;  ///< dies with the project: answers of an older one are dropped
};

}  // namespace kernelgen::studio
