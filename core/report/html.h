// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/report/report.h"

namespace kernelgen {

/// Pictures as SVG, by the path that a document names.
using Pictures = std::map<std::string, std::string>;

/// The HTML of a document that core/report/markdown.h wrote: headings, paragraphs, lists, tables, code, and pictures,
/// of which those in `pictures` are put in. Whatever text the document holds, nothing of it becomes markup.
std::string to_html(std::string_view markdown, const Pictures& pictures);

/// A page that needs nothing from outside: the document with a table of contents, in light and dark as the reader's
/// system wants it. Its title is the document's first heading.
std::string html_page(std::string_view markdown, const Pictures& pictures, Tongue tongue);

}  // namespace kernelgen
