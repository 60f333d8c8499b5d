// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <deque>

namespace kernelgen::studio {

enum class Severity { information, success, warning, error };

struct LogEntry {
    QDateTime time;
    Severity severity = Severity::information;
    QString text;  ///< one or more lines of plain text
};

/// What happened in this session, newest last; of very much, the last 5,000 entries.
class RunLog : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void add(Severity severity, const QString& text) {
        entries_.push_back({QDateTime::currentDateTime(), severity, text});
        if (entries_.size() > most_entries) entries_.pop_front();
        emit added();
    }
    const std::deque<LogEntry>& entries() const { return entries_; }

signals:
    void added();

private:
    static constexpr std::size_t most_entries = 5000;
    std::deque<LogEntry> entries_;
};

}  // namespace kernelgen::studio
