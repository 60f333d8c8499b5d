// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QRandomGenerator>
#include <QWidget>
#include <QWindow>
#include <cstdio>

namespace kernelgen::studio::testing {

/// Clicks, drags, scrolls and types anywhere in the program's windows, its menus and dialogs included, as the seed
/// says. Builds and runs end when they end, so the same seed need not meet the same window: the file of steps says what
/// was done. Dialogs that choose files are closed at once: in them one can delete and rename anything.
class RandomUser : public QObject {
    Q_OBJECT

public:
    /// `steps_file`: what is done is written there, a line a step, before it is done.
    RandomUser(quint32 seed, const QString& steps_file);
    ~RandomUser() override;

    /// Acts for so long in the windows that are shown, the event loop running. Emits `finished` once no dialog and no
    /// menu is open any more.
    void act(qint64 milliseconds);

    int steps() const { return steps_; }
    /// The longest time that a step kept the window from answering, and which one it was.
    qint64 longestStallMilliseconds() const { return longest_stall_; }
    QString longestStep() const { return longest_step_; }

signals:
    void stepEnded(int count);
    void finished();

private:
    void scheduleNext();
    void next();
    void actOnce();
    void leave();
    void click(QWindow& window, const QPoint& place);
    void drag(QWindow& window, const QPoint& from);
    void scroll(QWindow& window, const QPoint& place);
    void pressKeys(QWindow& window);
    void change(QWidget& widget);
    QWidget* chooseWindow();
    QPoint choosePlace(const QWidget& window);
    Qt::KeyboardModifiers someModifiers();
    bool happens(int one_in) { return random_.bounded(one_in) == 0; }
    void note(const QString& step);

    QRandomGenerator random_;
    std::FILE* log_;
    QElapsedTimer clock_;
    qint64 end_ = 0, longest_stall_ = 0;
    QString last_, longest_step_;
    QPointer<QWidget> dialog_;  ///< that is open, and since which step
    int dialog_since_ = 0;
    int steps_ = 0;
    int level_ = 0;  ///< of the event loop in which a step is under way; 0: none is
};

}  // namespace kernelgen::studio::testing
