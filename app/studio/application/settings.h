// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace kernelgen::studio {

enum class Theme { system, light, dark };

/// The user's settings, in the system's place for settings. A value that cannot be read, or is invalid, has its
/// default.
class Settings {
public:
    Settings();
    /// Uses only this INI file; for tests.
    explicit Settings(const QString& file);

    /// The folder for data that must survive the program's end; beside the INI file where there is one.
    QString dataFolder() const { return data_folder_; }

    QStringList recentProjects() const;  ///< folders, newest first, at most ten
    void addRecentProject(const QString& folder);
    void removeRecentProject(const QString& folder);

    Theme theme() const;
    void setTheme(Theme theme);
    QString language() const;  ///< "en", "zh_CN", or "" for the system's
    void setLanguage(const QString& language);

    QString device() const;  ///< default "cpu"
    void setDevice(const QString& device);
    QString compiler() const;  ///< program for `cpp` variants; "" for the system's
    void setCompiler(const QString& program);
    QString python() const;  ///< interpreter for Triton and PyTorch variants; "" for python3
    void setPython(const QString& program);
    QStringList workerCommand() const;  ///< empty: the `kernelgen` beside this program
    void setWorkerCommand(const QStringList& command);
    double callTimeoutSeconds() const;  ///< of one call of a kernel, 1 … 3600, default 30
    void setCallTimeoutSeconds(double seconds);
    double newBudgetSeconds() const;  ///< of a case, in new projects, 0.1 … 3600, default 5
    void setNewBudgetSeconds(double seconds);
    bool newWarmCaches() const;  ///< whether new projects ask for warm caches
    void setNewWarmCaches(bool warm);

    /// The note on the next round of the project in this folder, which no round has taken yet; "" for none.
    QString nextNote(const QString& folder) const;
    void setNextNote(const QString& folder, const QString& note);

    /// The starred rounds of the project in this folder.
    QStringList starredRounds(const QString& folder) const;
    void setStarredRounds(const QString& folder, const QStringList& numbers);
    /// The columns of the table of rounds that are shown, in their order; empty: as they are by default.
    QStringList roundColumns() const;
    void setRoundColumns(const QStringList& columns);

    int optimizeRounds() const;      ///< of an optimization at most, 1 … 1000, default 5
    QString optimizeBudget() const;  ///< its time, default "5m"
    void setOptimization(int rounds, const QString& budget);

    QByteArray geometry() const;
    QByteArray layout() const;
    void setWindow(const QByteArray& geometry, const QByteArray& layout);
    QByteArray splitter(const QString& name) const;
    void setSplitter(const QString& name, const QByteArray& state);
    void forgetLayout();

private:
    void setOfFolder(const QString& key, const QString& folder, const QVariant& value);
    double number(const QString& key, double least, double most, double otherwise) const;
    QSettings settings_;
    QString data_folder_;
};

}  // namespace kernelgen::studio
