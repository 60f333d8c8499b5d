// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextCursor>

namespace kernelgen::studio {

/// Spaces to the next multiple of four, or, where lines are selected, four before each of them. One undoable edit.
void indent(QTextCursor cursor);
/// Takes up to four spaces from the beginning of each line that the selection touches.
void outdent(QTextCursor cursor);
/// A new line indented as this one, four deeper after an opening bracket.
void breakLine(QTextCursor cursor);

}  // namespace kernelgen::studio
