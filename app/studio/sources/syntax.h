// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <KSyntaxHighlighting/Repository>
#include <QFuture>
#include <memory>

namespace kernelgen::studio {

using Syntax = std::shared_ptr<KSyntaxHighlighting::Repository>;

/// The languages and colours that sources are shown in. Reading them takes some tens of milliseconds: the first call,
/// in the GUI thread, has another thread begin with it; once there they belong to the GUI thread.
const QFuture<Syntax>& sourceSyntax();

/// The language that a file's name tells.
KSyntaxHighlighting::Definition languageOf(const QString& file, const Syntax& syntax);

}  // namespace kernelgen::studio
