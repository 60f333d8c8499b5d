// SPDX-License-Identifier: GPL-3.0-or-later
// A user who clicks and types anywhere: kernelgen_random_user [SECONDS [SEED]]. The seed is printed; without one it is
// another each time. Ends with status 1 where Qt warned of something, and by a signal where the window died or did not
// answer for two minutes.
#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "app/studio/start/windows.h"
#include "app/studio/theme/theme.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/random_user.h"

namespace kernelgen::studio::testing {

namespace {

/// Ends the program where no step ended for two minutes.
class Watchdog {
public:
    explicit Watchdog(const QString& steps_file)
        : thread_([this, steps_file](const std::stop_token& stop) {
              for (int last = -1, quiet = 0; !stop.stop_requested(); std::this_thread::sleep_for(step)) {
                  quiet = steps_ == last ? quiet + 1 : 0;
                  last = steps_;
                  if (quiet < steps_until_stuck) continue;
                  std::fprintf(stderr, "the window does not answer; %s says after what\n", qPrintable(steps_file));
                  std::abort();
              }
          }) {}
    void stepEnded(int count) { steps_ = count; }

private:
    static constexpr std::chrono::milliseconds step{500};
    static constexpr int steps_until_stuck = 240;
    std::atomic<int> steps_ = 0;
    std::jthread thread_;
};

/// Everything that the studio writes outside of a project goes into this folder, and no other program is started to
/// show what it wrote.
class Apart : public QObject {
    Q_OBJECT

public:
    explicit Apart(const QString& folder) {
        qputenv("HOME", folder.toUtf8());
        for (const char* each : {"XDG_DATA_HOME", "XDG_CONFIG_HOME"}) qputenv(each, (folder + "/" + each).toUtf8());
        QDir::setCurrent(folder);
        for (const char* scheme : {"file", "http", "https"}) QDesktopServices::setUrlHandler(scheme, this, "open");
    }

public slots:
    void open(const QUrl&) {}
};

std::mutex warned_mutex;
std::set<std::string>& warned() {
    static std::set<std::string> texts;
    return texts;
}

void takeMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    const bool is_of_platform = text.startsWith("This plugin does not support");  // without a display
    if (type == QtDebugMsg || type == QtInfoMsg || is_of_platform) return;
    const std::lock_guard lock(warned_mutex);
    if (warned().insert(text.toStdString()).second) std::fprintf(stderr, "Qt: %s\n", qPrintable(text));
    if (type == QtFatalMsg) std::abort();
}

/// A user who quits, closes the project, or has written nonsense into the settings begins again.
void beginAgain(Windows& windows, Studio& studio, int steps) {
    MainWindow& window = windows.window();
    if (!window.isVisible()) window.show();
    if (QApplication::activeModalWidget() != nullptr) return;
    if (steps % 1500 == 0) {
        studio.settings().setWorkerCommand({KERNELGEN_PROGRAM, "worker"});
        studio.session().applyWorkerSettings();
    }
    const bool is_closed = !studio.session().document().isOpen() && steps % 50 == 0;
    if (is_closed || steps % 1500 == 0) window.openProject(studio.folder());
}

int actFor(qint64 milliseconds, quint32 seed) {
    Studio studio;
    writeHistory(studio.folder(), 20);
    writeTuning(studio.folder(), exampleTuning(60));
    studio.open();
    applyTheme(Theme::light);
    Session& session = studio.session();
    Windows windows(session);
    windows.window().resize(1300, 850);
    const QString steps_file = QDir::temp().filePath(QString("kernelgen_random_user_%1.txt").arg(seed));
    std::printf("seed %u, steps in %s\n", seed, qPrintable(steps_file));
    std::fflush(stdout);
    RandomUser user(seed, steps_file);
    {
        Watchdog watchdog(steps_file);
        QObject::connect(&user, &RandomUser::stepEnded, &user, [&](int steps) {
            watchdog.stepEnded(steps);
            beginAgain(windows, studio, steps);
        });
        // `quit` would close the window first, which asks whether to save.
        QObject::connect(&user, &RandomUser::finished, qApp, [] { QCoreApplication::exit(0); });
        user.act(milliseconds);
        QApplication::exec();
    }
    session.queue().clear();
    session.engine().stopAndWait();
    std::printf("%d steps; the longest took %lld ms: %s\n", user.steps(),
                static_cast<long long>(user.longestStallMilliseconds()), qPrintable(user.longestStep()));
    return warned().empty() ? 0 : 1;
}

}  // namespace

}  // namespace kernelgen::studio::testing

int main(int count, char** values) {
    using namespace kernelgen::studio::testing;
    const double seconds = count > 1 ? std::atof(values[1]) : 60;
    const quint32 seed = count > 2 ? static_cast<quint32>(std::atoll(values[2])) : std::random_device()();
    const QTemporaryDir folder;
    const Apart apart(folder.path());
    qInstallMessageHandler(takeMessage);
    QApplication application(count, values);
    QApplication::setQuitOnLastWindowClosed(false);
    return actFor(static_cast<qint64>(seconds * 1000), seed);
}

#include "random_user_main.moc"
