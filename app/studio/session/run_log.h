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
    QString text;         ///< one or more lines of plain text
    bool output = false;  ///< printed by a kernel or a compiler
};

/// What happened in this session, newest last; of very much, the last 5,000 entries.
class RunLog : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void add(Severity severity, const QString& text) { take({QDateTime::currentDateTime(), severity, text}); }
    void addOutput(const QString& text) { take({QDateTime::currentDateTime(), Severity::information, text, true}); }

    const std::deque<LogEntry>& entries() const { return entries_; }
    std::size_t dropped() const { return dropped_; }  ///< entries that were before those

signals:
    void added();

private:
    void take(const LogEntry& entry) {
        entries_.push_back(entry);
        if (entries_.size() > most_entries) {
            entries_.pop_front();
            ++dropped_;
        }
        emit added();
    }

    static constexpr std::size_t most_entries = 5000;
    std::deque<LogEntry> entries_;
    std::size_t dropped_ = 0;
};

}  // namespace kernelgen::studio
