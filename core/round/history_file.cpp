// SPDX-License-Identifier: Apache-2.0
#include "core/round/history_file.h"

#include <string>
#include <system_error>

#include "core/base/lines.h"
#include "core/project/own_files.h"

namespace kernelgen {

namespace fs = std::filesystem;

fs::path rounds_folder(const fs::path& project_folder) { return project_folder / own_files::rounds; }

fs::path round_folder(const fs::path& project_folder, int round) {
    return rounds_folder(project_folder) / std::to_string(round);
}

fs::path history_path(const fs::path& project_folder) { return project_folder / own_files::history; }

Result<HistoryWriter> HistoryWriter::open(const fs::path& project_folder) {
    std::error_code error;
    fs::create_directories(rounds_folder(project_folder), error);
    if (error) return fail("cannot make " + rounds_folder(project_folder).string() + ": " + error.message());
    Result<FileLock> lock = FileLock::acquire(rounds_folder(project_folder) / ".lock", FileLock::Mode::exclusive);
    if (!lock) return std::unexpected(lock.error());
    return HistoryWriter(history_path(project_folder), std::move(*lock));
}

Result<void> HistoryWriter::append(std::string_view line) const { return append_line(path_, line); }

}  // namespace kernelgen
