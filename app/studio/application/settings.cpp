// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/settings.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QVariantMap>
#include <cmath>

namespace kernelgen::studio {

namespace {

constexpr qsizetype most_recent = 10;

/// Raise it when docks or toolbars are added or renamed: an older layout is then forgotten.
constexpr int layout_version = 5;

}  // namespace

Settings::Settings()
    : settings_("kernelgen", "studio"),
      data_folder_(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)) {}

Settings::Settings(const QString& file)
    : settings_(file, QSettings::IniFormat), data_folder_(QFileInfo(file).absolutePath()) {}

QStringList Settings::recentProjects() const { return settings_.value("recent").toStringList().mid(0, most_recent); }

void Settings::addRecentProject(const QString& folder) {
    QStringList recent = recentProjects();
    recent.removeAll(folder);
    recent.prepend(folder);
    settings_.setValue("recent", recent.mid(0, most_recent));
}

void Settings::removeRecentProject(const QString& folder) {
    QStringList recent = recentProjects();
    recent.removeAll(folder);
    settings_.setValue("recent", recent);
}

Theme Settings::theme() const {
    const QString name = settings_.value("theme").toString();
    return name == "light" ? Theme::light : name == "dark" ? Theme::dark : Theme::system;
}

void Settings::setTheme(Theme theme) {
    settings_.setValue("theme", theme == Theme::light ? "light" : theme == Theme::dark ? "dark" : "system");
}

QString Settings::language() const {
    const QString language = settings_.value("language").toString();
    return language == "en" || language == "zh_CN" ? language : QString();
}

void Settings::setLanguage(const QString& language) { settings_.setValue("language", language); }

QString Settings::device() const {
    const QString device = settings_.value("device").toString();
    return device.isEmpty() ? QStringLiteral("cpu") : device;
}

void Settings::setDevice(const QString& device) { settings_.setValue("device", device); }

QString Settings::compiler() const { return settings_.value("compiler").toString(); }

void Settings::setCompiler(const QString& program) { settings_.setValue("compiler", program); }

QString Settings::python() const { return settings_.value("python").toString(); }

void Settings::setPython(const QString& program) { settings_.setValue("python", program); }

QStringList Settings::workerCommand() const { return settings_.value("worker").toStringList(); }

void Settings::setWorkerCommand(const QStringList& command) { settings_.setValue("worker", command); }

double Settings::number(const QString& key, double least, double most, double otherwise) const {
    bool read = false;
    const double value = settings_.value(key).toDouble(&read);
    return read && std::isfinite(value) && value >= least && value <= most ? value : otherwise;
}

double Settings::callTimeoutSeconds() const { return number("call_timeout_seconds", 1, 3600, 30); }

void Settings::setCallTimeoutSeconds(double seconds) { settings_.setValue("call_timeout_seconds", seconds); }

double Settings::newBudgetSeconds() const { return number("new_budget_seconds", 0.1, 3600, 5); }

void Settings::setNewBudgetSeconds(double seconds) { settings_.setValue("new_budget_seconds", seconds); }

bool Settings::newWarmCaches() const { return settings_.value("new_warm_caches").toBool(); }

void Settings::setNewWarmCaches(bool warm) { settings_.setValue("new_warm_caches", warm); }

QString Settings::nextNote(const QString& folder) const {
    return settings_.value("next_notes").toMap().value(folder).toString();
}

/// Keeps a value for a project's folder, and forgets those of folders that are gone.
void Settings::setOfFolder(const QString& key, const QString& folder, const QVariant& value) {
    QVariantMap values = settings_.value(key).toMap();
    if (values.value(folder) == value) return;
    values.removeIf([](const auto& each) { return !QFileInfo::exists(each.key()); });
    if (value.toStringList().join(QString()).isEmpty()) values.remove(folder);
    else values.insert(folder, value);
    settings_.setValue(key, values);
}

void Settings::setNextNote(const QString& folder, const QString& note) { setOfFolder("next_notes", folder, note); }

QStringList Settings::starredRounds(const QString& folder) const {
    return settings_.value("starred_rounds").toMap().value(folder).toStringList();
}

void Settings::setStarredRounds(const QString& folder, const QStringList& numbers) {
    setOfFolder("starred_rounds", folder, numbers);
}

QStringList Settings::roundColumns() const { return settings_.value("rounds/columns").toStringList(); }

void Settings::setRoundColumns(const QStringList& columns) { settings_.setValue("rounds/columns", columns); }

int Settings::optimizeRounds() const { return static_cast<int>(number("optimize/rounds", 1, 1000, 5)); }

QString Settings::optimizeBudget() const { return settings_.value("optimize/budget", QStringLiteral("5m")).toString(); }

void Settings::setOptimization(int rounds, const QString& budget) {
    settings_.setValue("optimize/rounds", rounds);
    settings_.setValue("optimize/budget", budget);
}

QByteArray Settings::geometry() const { return settings_.value("window/geometry").toByteArray(); }

QByteArray Settings::layout() const {
    const bool current = settings_.value("window/version").toInt() == layout_version;
    return current ? settings_.value("window/layout").toByteArray() : QByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& layout) {
    settings_.setValue("window/version", layout_version);
    settings_.setValue("window/geometry", geometry);
    settings_.setValue("window/layout", layout);
}

QByteArray Settings::splitter(const QString& name) const { return settings_.value("splitter/" + name).toByteArray(); }

void Settings::setSplitter(const QString& name, const QByteArray& state) {
    settings_.setValue("splitter/" + name, state);
}

void Settings::forgetLayout() {
    settings_.remove("window");
    settings_.remove("splitter");
}

}  // namespace kernelgen::studio
