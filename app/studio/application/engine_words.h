// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

#include "core/base/result.h"
#include "core/base/status.h"
#include "core/project/configuration.h"
#include "core/report/phrases.h"

namespace kernelgen::studio {

/// The texts and sentences of the engine, with the window's own way in place of a command or an option that they advise
/// (window_sentences.def); in the language of the interface, or in another.
Phrases windowPhrases();
const Rewording& windowWording(Tongue tongue);

/// A reason or warning of the engine in the language of the interface, as `windowPhrases` has it.
QString inWords(const Said& said);
/// What is wrong, and what to do, without the place.
QString inWords(const Diagnostic& diagnostic);
/// All of them with their places and advice, one a line.
QString inWords(const Diagnostics& diagnostics);

/// Whether a reason is that an interpreter, PyTorch or Triton is missing, which the settings can name.
bool asksForPython(const Said& reason);
bool asksForPython(const Diagnostics& diagnostics);

/// How an attempt ended, and why: "mismatch. 3 elements differ". A reason that repeats the status stands alone.
QString inWords(Status status, const Said& reason);

/// A stage of a run in the language of the interface: "Timing 4096x4096 f32" for "bench 4096x4096 f32".
QString stageInWords(const QString& stage);

/// Why an optimization ended, of the reason's id (core/round/stop_reasons.def).
QString endingInWords(std::string_view id);

QString configurationText(const Configuration& configuration);  ///< "BLOCK_M=16 BLOCK_N=256"

}  // namespace kernelgen::studio
