// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/source_file.h"

#include <QPlainTextDocumentLayout>
#include <QTextCursor>
#include <ranges>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/base/file.h"
#include "core/base/text_file.h"

namespace kernelgen::studio {

namespace {

constexpr std::uint64_t longest_source = 4ull << 20;

}  // namespace

SourceFile::SourceFile(std::filesystem::path folder, std::string name, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), name_(std::move(name)) {
    document_.setDocumentLayout(new QPlainTextDocumentLayout(&document_));
    load();
}

std::string SourceFile::text() const { return document_.toPlainText().toStdString(); }

void SourceFile::load() {
    const Result<std::string> text = read_text_file(path(), longest_source);
    problem_ = text ? QString() : inWords(text.error().message);
    on_disk_ = text.value_or("");
    document_.setPlainText(toQt(on_disk_));
    document_.setModified(false);
}

/// A file that could not be read is then a new one.
void SourceFile::replaceText(const QString& text) {
    problem_.clear();
    QTextCursor cursor(&document_);
    cursor.beginEditBlock();
    cursor.select(QTextCursor::Document);
    cursor.insertText(text);
    cursor.endEditBlock();
}

/// From the end, so that the places before it stay.
void SourceFile::apply(const std::vector<TextEdit>& edits, bool joined) {
    QTextCursor cursor(&document_);
    if (joined) cursor.joinPreviousEditBlock();
    else cursor.beginEditBlock();
    for (const TextEdit& each : edits | std::views::reverse) {
        cursor.setPosition(each.begin);
        cursor.setPosition(each.end, QTextCursor::KeepAnchor);
        cursor.insertText(each.text);
    }
    cursor.endEditBlock();
}

Result<void> SourceFile::reload() {
    Result<std::string> read = read_text_file(path(), longest_source);
    if (!read) return std::unexpected(read.error());
    on_disk_ = std::move(*read);
    if (text() != on_disk_) replaceText(toQt(on_disk_));
    document_.setModified(false);
    return {};
}

Result<void> SourceFile::copyTo(const std::filesystem::path& folder) const {
    if (!problem_.isEmpty()) return fail(name_ + " cannot be saved elsewhere: " + problem_.toStdString());
    std::error_code error;
    std::filesystem::create_directories((folder / name_).parent_path(), error);
    return write_file_atomic(folder / name_, text());
}

Result<void> SourceFile::save() {
    if (!problem_.isEmpty()) return {};  // what could not be read stays as it is
    std::error_code error;
    const bool is_written = text() == on_disk_ && std::filesystem::exists(path(), error);  // or was it removed?
    if (const Result<void> written = is_written ? Result<void>{} : copyTo(folder_); !written) return written;
    on_disk_ = text();
    document_.setModified(false);
    return {};
}

void SourceFile::keepMine() {
    Result<std::string> read = read_file(path(), longest_source);
    if (!read || *read == on_disk_) return;
    on_disk_ = std::move(*read);
    document_.setModified(text() != on_disk_);
}

bool SourceFile::changedOnDisk() const {
    const Result<std::string> text = read_text_file(path(), longest_source);
    return text && *text != on_disk_;
}

}  // namespace kernelgen::studio
