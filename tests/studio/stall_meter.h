// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <ctime>

namespace kernelgen::studio::testing {

/// The longest time for which the event loop did not come round, while this lives. Also the most processor time that
/// its thread took between two turns: where that is much less, others had the processor.
class StallMeter {
public:
    StallMeter() {
        timer_.setTimerType(Qt::PreciseTimer);
        timer_.callOnTimeout([this] { beat(); });
        timer_.start(1);
        since_.start();
        processor_before_ = processorNanoseconds();
    }
    double processorMilliseconds() {  ///< the most between two turns
        beat();
        return static_cast<double>(most_processor_) * 1e-6;
    }
    void print(const char* what) {
        beat();
        std::printf("%-58s %-10s %8.1f ms, of processor time %.1f\n", what, "<= 50 ms",
                    static_cast<double>(longest_) * 1e-6, static_cast<double>(most_processor_) * 1e-6);
        std::fflush(stdout);
    }

private:
    static qint64 processorNanoseconds() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return qint64{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }
    void beat() {
        longest_ = std::max(longest_, since_.nsecsElapsed());
        const qint64 processor = processorNanoseconds();
        most_processor_ = std::max(most_processor_, processor - processor_before_);
        processor_before_ = processor;
        since_.start();
    }

    QTimer timer_;
    QElapsedTimer since_;
    qint64 longest_ = 0, most_processor_ = 0, processor_before_ = 0;
};

}  // namespace kernelgen::studio::testing
