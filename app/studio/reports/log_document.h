// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>
#include <QString>
#include <QTextDocument>
#include <memory>

namespace kernelgen::studio {

/// A log's Markdown as a document to be shown: tables with borders, differences in colours. It belongs to the thread
/// that makes it, which may be any.
std::unique_ptr<QTextDocument> logDocument(const QString& markdown, const QPalette& palette, const QFont& font);

}  // namespace kernelgen::studio
