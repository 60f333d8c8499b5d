// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/recovery.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <nlohmann/json.hpp>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/document/source_sets.h"
#include "core/base/text.h"
#include "core/project/names.h"
#include "core/project/project_file.h"

namespace kernelgen::studio {

using nlohmann::json;

namespace {

constexpr const char* schema = "kernelgen.recovery/1";

QString lockOf(const QString& folder, const QString& token) { return folder + "/" + token + ".lock"; }

/// "TOKEN" of "PROJECT-TOKEN.json".
QString tokenOf(const QString& file) { return QFileInfo(file).completeBaseName().section('-', -1); }

bool isOwnersAlive(const QString& folder, const QString& file) {
    const std::string lock = lockOf(folder, tokenOf(file)).toStdString();
    const Result<FileLock> taken = FileLock::try_acquire(lock, FileLock::Mode::exclusive);
    return !taken || !taken->held();
}

json describe(const ProjectDocument& document) {
    json texts = json::object();
    for (SourceFile* source : document.sources()) {
        if (source->document().isModified()) texts[source->name()] = source->text();
    }
    return {{"schema", schema},
            {"folder", document.folder().toStdString()},
            {"time", QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString()},
            {"sources", std::move(texts)}};
}

bool staysInFolder(const Project& project) {
    return std::ranges::all_of(project.variants, [](const Variant& each) {
        return std::ranges::none_of(filesOf(each),
                                    [](const std::string& file) { return source_path_problem(file).has_value(); });
    });
}

}  // namespace

Recovery::Recovery(ProjectDocument& document, QString folder, int delay, QObject* parent)
    : QObject(parent),
      document_(document),
      folder_(std::move(folder)),
      token_(QUuid::createUuid().toString(QUuid::Id128)) {
    writer_.setMaxThreadCount(1);
    timer_.setSingleShot(true);
    timer_.setInterval(delay);
    connect(&timer_, &QTimer::timeout, this, &Recovery::write);
    connect(&document_, &ProjectDocument::opened, this, &Recovery::look);
    connect(&document_, &ProjectDocument::modifiedChanged, this, &Recovery::schedule);
    connect(&document_, &ProjectDocument::sourceEdited, this, &Recovery::schedule);
}

Recovery::~Recovery() {
    removeOwn();
    writer_.waitForDone();
    if (alive_) QFile::remove(lockOf(folder_, token_));
}

QString Recovery::prefix() const { return toQt(hash_hex(document_.folder().toStdString())); }

void Recovery::look() {
    removeOwn();
    offer_.reset();
    offered_.clear();
    const QStringList found =
        document_.isOpen() ? QDir(folder_).entryList({prefix() + "-*.json"}, QDir::Files, QDir::Time) : QStringList();
    for (const QString& name : found) {
        const QString file = folder_ + "/" + name;
        if (isOwnersAlive(folder_, file)) continue;
        std::optional<Copy> copy = read(file);
        if (!copy) {
            emit warned(tr("%1 is no copy of unsaved changes that can be read; it was set aside").arg(file));
            QFile::rename(file, file + ".unreadable");
            continue;
        }
        offered_ << file;
        if (!offer_ || offer_->time < copy->time) offer_ = std::move(copy);
    }
    emit offerChanged();
}

std::optional<Recovery::Copy> Recovery::read(const QString& file) const {
    const Result<std::string> text = read_file(file.toStdString());
    if (!text) return std::nullopt;
    try {
        const json content = json::parse(*text);
        if (content.at("schema") != schema || content.at("folder") != document_.folder().toStdString()) return {};
        const std::filesystem::path place = document_.folder().toStdString();
        Validated<Project> project = parse_draft(content.at("project").get<std::string>(), place / "project.json");
        if (!project || !staysInFolder(*project)) return std::nullopt;
        return Copy{.time = QDateTime::fromString(toQt(content.at("time").get<std::string>()), Qt::ISODate),
                    .project = std::move(*project),
                    .texts = content.at("sources")};
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

void Recovery::restore() {
    if (!offer_) return;
    document_.replace(tr("restore unsaved changes"), offer_->project, offer_->texts);
    discard();
}

void Recovery::discard() {
    for (const QString& file : offered_) {
        QFile::remove(file);
        QFile::remove(lockOf(folder_, tokenOf(file)));
    }
    offered_.clear();
    offer_.reset();
    emit offerChanged();
}

void Recovery::schedule() {
    if (!document_.isModified()) return removeOwn();
    if (!timer_.isActive()) timer_.start();
}

bool Recovery::begin() {
    if (alive_) return true;
    QDir().mkpath(folder_);
    QFile::setPermissions(folder_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    Result<FileLock> lock = FileLock::try_acquire(lockOf(folder_, token_).toStdString(), FileLock::Mode::exclusive);
    if (lock) alive_ = std::move(*lock);
    else emit warned(tr("Unsaved changes cannot be kept against a crash: %1").arg(inWords(lock.error().message)));
    return alive_.has_value();
}

void Recovery::write() {
    if (!document_.isModified() || !begin()) return;
    own_ = folder_ + "/" + prefix() + "-" + token_ + ".json";
    writer_.start([this, file = own_, content = describe(document_), project = document_.project()]() mutable {
        content["project"] = project_text(project);
        const std::string text = content.dump(-1, ' ', false, json::error_handler_t::replace);
        const Result<void> written = write_file_atomic(file.toStdString(), text);
        if (!written) emit warned(inWords(written.error().message));
    });
}

void Recovery::removeOwn() {
    timer_.stop();
    if (own_.isEmpty()) return;
    writer_.start([file = own_] { QFile::remove(file); });
    own_.clear();
}

}  // namespace kernelgen::studio
