// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace kernelgen::studio {

inline QString toQt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// All diagnostics, one a line.
template <std::same_as<Said> Text>
QString toQt(const Text& said) {
    return toQt(said.text());
}
inline QString toQt(const Diagnostics& diagnostics) { return toQt(to_string(diagnostics)).trimmed(); }

/// A moment of a record ("2026-01-02T03:04:05Z") in the user's time zone, to the second, as all tables have it.
QString timeText(std::string_view record);

inline constexpr QChar place_to_break = u'\u200B';  ///< a zero width space

/// Plain text for a wrapped label, with places to break in its very long words (identifiers, mostly), so that none of
/// them makes the label wider than its place.
QString breakable(const QString& text);

/// What an action is called: a menu's text without the letter to press and the dots, of "&New project…" as of
/// "新建项目(&N)…".
QString nameOfAction(QString text);

/// A folder in `parent` that is not there yet, named `name`, or `name-2` and so on.
QString freeFolder(const QString& parent, const QString& name);

}  // namespace kernelgen::studio
