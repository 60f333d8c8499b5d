// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/tune/tuning.h"

namespace kernelgen {

std::filesystem::path tunings_folder(const std::filesystem::path& project_folder);
std::filesystem::path tuning_path(const std::filesystem::path& project_folder, int number);

/// The numbers of a project's tunings, ascending.
std::vector<int> tuning_numbers(const std::filesystem::path& project_folder);
/// Names the files among them whose names are no numbers of tunings.
std::vector<Said> files_without_number(const std::filesystem::path& project_folder);

/// Reads a tuning. Torn lines and lines of a newer schema are skipped with a warning. Errors: no such tuning, a first
/// line that cannot be read.
Result<Tuning> load_tuning(const std::filesystem::path& project_folder, int number);

/// Reads a tuning without what was tried, in a tenth of the time: `tried` is empty, unless a line was written by hand.
Result<Tuning> load_tuning_untried(const std::filesystem::path& project_folder, int number);

/// Whether the command of `last`, the project's last tuning, can go on: a case has no outcome (or no file any more),
/// there was no time for a part of one, or the race across its cases was not held.
bool can_go_on(const std::filesystem::path& project_folder, const Tuning& last);

/// A tuning under way. Each line is on the disk when its method returns. While it lives, no other process tunes this
/// project. A file that a person removes or renames meanwhile is written again, since it is kept open.
class TuningFile {
public:
    /// Errors: another process tunes the project; a read-only folder.
    static Result<TuningFile> open(const std::filesystem::path& project_folder);

    /// Begins a tuning under the next number, which it sets in `head`, and `first` where that is 0. A number of this
    /// command is not used again, although its file was removed.
    Result<void> begin(TuningHead& head);
    /// Goes on with one that was begun.
    void go_on(int number);
    /// Removes the tuning that was begun last: it has tried nothing.
    void forget();
    Result<void> append(const Tried& tried, TriedLine line = TriedLine::result);
    Result<void> append(const TuningOutcome& outcome);

    /// Which files were written again.
    const std::vector<Said>& warnings() const { return warnings_; }

private:
    TuningFile(std::filesystem::path folder, FileLock lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}

    Result<void> append_text(const std::string& text);
    Result<void> bring_back();

    std::filesystem::path folder_, path_;
    FileLock lock_;
    int number_ = 0;
    std::map<int, Descriptor> files_;  ///< of this command, for reading
    std::vector<Said> warnings_;
};

}  // namespace kernelgen
