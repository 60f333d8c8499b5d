// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/backend/build.h"
#include "core/listing/listing.h"

namespace kernelgen {

/// The kinds of code that builds of a language can have, the nearest to the device first; empty of a library.
std::vector<CodeKind> code_kinds_of(Language language);

/// The names of these kinds, for `BuildRequest::texts`.
std::vector<std::string> texts_of(const std::vector<CodeKind>& kinds);

/// The files that an implementation is built of, by their names in the project.
std::vector<std::string> files_of(const Implementation& implementation);

/// Whether a message is a note on a text that was asked for and cannot be had.
bool tells_of_missing_text(const CompilerMessage& message);

/// Adds a note for each text that was asked for and of which the result says nothing: an old worker does not know it.
void note_texts_not_given(const BuildRequest& request, BuildResult& result);

/// Why a build has no text of a kind, as its notes say; "" where they say nothing of it.
Said why_no_code(const BuildResult& result);

}  // namespace kernelgen
