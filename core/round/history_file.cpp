// SPDX-License-Identifier: Apache-2.0
#include "core/round/history_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

/// Appends in a single write; the error number, or 0.
int append_text(int descriptor, std::string_view line) {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) return errno;
    char last = '\n';
    if (status.st_size > 0 && ::pread(descriptor, &last, 1, status.st_size - 1) != 1) return errno;
    const std::string text = (last == '\n' ? "" : "\n") + std::string(line) + "\n";
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    int error = written < 0 ? errno : 0;
    if (error == 0 && written < static_cast<ssize_t>(text.size())) error = ENOSPC;
    if (error == 0 && ::fsync(descriptor) != 0) error = errno;
    if (error != 0 && ::ftruncate(descriptor, status.st_size) != 0) error = errno;
    return error;
}

}  // namespace

fs::path rounds_folder(const fs::path& project_folder) { return project_folder / "rounds"; }

fs::path round_folder(const fs::path& project_folder, int round) {
    return rounds_folder(project_folder) / std::to_string(round);
}

fs::path history_path(const fs::path& project_folder) { return project_folder / "history.jsonl"; }

Result<HistoryWriter> HistoryWriter::open(const fs::path& project_folder) {
    std::error_code error;
    fs::create_directories(rounds_folder(project_folder), error);
    if (error) return fail("cannot make " + rounds_folder(project_folder).string() + ": " + error.message());
    Result<FileLock> lock = FileLock::acquire(rounds_folder(project_folder) / ".lock", FileLock::Mode::exclusive);
    if (!lock) return std::unexpected(lock.error());
    return HistoryWriter(history_path(project_folder), std::move(*lock));
}

Result<void> HistoryWriter::append(std::string_view line) const {
    const int descriptor = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const int error = descriptor < 0 ? errno : append_text(descriptor, line);
    if (descriptor >= 0) ::close(descriptor);
    if (error == 0) return {};
    return fail("cannot append to " + path_.string() + ": " + std::generic_category().message(error));
}

}  // namespace kernelgen
