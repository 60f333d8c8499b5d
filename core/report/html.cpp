// SPDX-License-Identifier: Apache-2.0
#include "core/report/html.h"

#include <format>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/report/phrases.h"
#include "core/report/svg.h"

namespace kernelgen {

namespace {

/// Text outside code. `as_prose` (core/report/markdown.h) has written "&lt;" already.
std::string prose(std::string_view text) {
    constexpr std::string_view less = "&lt;";
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i).starts_with(less)) {
            result += less;
            i += less.size() - 1;
        } else {
            result += escaped(text.substr(i, 1));
        }
    }
    return result;
}

/// The length of the run of `c` at `at`.
std::size_t run_at(std::string_view text, std::size_t at, char c) {
    std::size_t end = at;
    while (end < text.size() && text[end] == c) ++end;
    return end - at;
}

/// The place where the next run of exactly `length` backquotes begins, or npos.
std::size_t closing_quote(std::string_view text, std::size_t from, std::size_t length) {
    for (std::size_t at = text.find('`', from); at != std::string_view::npos;) {
        const std::size_t run = run_at(text, at, '`');
        if (run == length) return at;
        at = text.find('`', at + run);
    }
    return std::string_view::npos;
}

/// Code and bold text within a line.
std::string inline_html(std::string_view text) {
    std::string result;
    bool is_bold = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = text.find_first_of("`*", at);
        result += prose(text.substr(at, next - at));
        if (next == std::string_view::npos) break;
        const std::size_t run = run_at(text, next, text[next]);
        at = next + run;
        if (text[next] == '*') {
            if (run == 2 && (is_bold || text.find("**", at) != std::string_view::npos)) {
                result += is_bold ? "</strong>" : "<strong>";
                is_bold = !is_bold;
            } else {
                result += text.substr(next, run);
            }
            continue;
        }
        const std::size_t end = closing_quote(text, at, run);
        if (end == std::string_view::npos) {
            result += text.substr(next, run);
            continue;
        }
        const std::string_view code = text.substr(at, end - at);
        result += "<code>" + escaped(run > 1 ? trim(code) : code) + "</code>";
        at = end + run;
    }
    return result + (is_bold ? "</strong>" : "");
}

/// The cells of a table's line, in which bars are escaped.
std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') cell += line[++i];
        else if (line[i] != '|') cell += line[i];
        else cells.push_back(std::string(trim(std::exchange(cell, ""))));
    }
    return cells;
}

/// The picture that a paragraph "![title](path)" names.
std::optional<std::string_view> picture_path(std::string_view line) {
    const std::size_t begin = line.rfind("](");
    if (!line.starts_with("![") || !line.ends_with(')') || begin == std::string_view::npos) return std::nullopt;
    return line.substr(begin + 2, line.size() - begin - 3);
}

struct Heading {
    int level = 0;
    std::string text;
};

/// Reads a document block by block.
class Converter {
public:
    Converter(std::string_view markdown, const Pictures& pictures)
        : lines_(split(markdown, '\n')), pictures_(pictures) {}

    std::string convert();
    const std::vector<Heading>& headings() const { return headings_; }

private:
    std::string_view line() const { return lines_[at_]; }
    bool is_list() const { return at_ < lines_.size() && line().starts_with("- "); }
    bool is_table() const { return at_ < lines_.size() && line().starts_with('|'); }
    std::string block();
    std::string heading(std::size_t level);
    std::string code(std::size_t fence);
    std::string list();
    std::string table();
    std::string paragraph();

    std::vector<std::string> lines_;
    const Pictures& pictures_;
    std::size_t at_ = 0;
    std::vector<Heading> headings_;
};

std::string Converter::convert() {
    std::string html;
    while (at_ < lines_.size()) {
        if (trim(line()).empty()) ++at_;
        else html += block() + "\n";
    }
    return html;
}

std::string Converter::block() {
    const std::size_t hashes = run_at(line(), 0, '#'), quotes = run_at(line(), 0, '`');
    if (hashes > 0 && hashes <= 6 && line().substr(hashes).starts_with(' ')) return heading(hashes);
    if (quotes >= 3) return code(quotes);
    if (is_list()) return list();
    return is_table() ? table() : paragraph();
}

std::string Converter::heading(std::size_t level) {
    const std::string text = inline_html(line().substr(level + 1));
    ++at_;
    headings_.push_back({static_cast<int>(level), text});
    return std::format("<h{0} id=\"s{1}\">{2}</h{0}>", level, headings_.size(), text);
}

std::string Converter::code(std::size_t fence) {
    std::string text;
    for (++at_; at_ < lines_.size(); ++at_) {
        if (run_at(line(), 0, '`') == fence && line().size() == fence) break;
        text += escaped(line()) + "\n";
    }
    ++at_;
    return "<pre><code>" + text + "</code></pre>";
}

std::string Converter::list() {
    std::string html = "<ul>";
    for (; is_list(); ++at_) html += "<li>" + inline_html(line().substr(2)) + "</li>";
    return html + "</ul>";
}

std::string Converter::table() {
    std::string html = "<div class=\"table\"><table>";
    for (int row = 0; is_table(); ++at_, ++row) {
        if (row == 1) continue;  // the line between header and rows
        const char* const tag = row == 0 ? "th" : "td";
        html += "<tr>";
        for (const std::string& cell : cells_of(line())) html += std::format("<{0}>{1}</{0}>", tag, inline_html(cell));
        html += "</tr>";
    }
    return html + "</table></div>";
}

std::string Converter::paragraph() {
    const std::string_view text = line();
    ++at_;
    if (const auto path = picture_path(text)) {
        const auto picture = pictures_.find(std::string(*path));
        return picture == pictures_.end() ? "" : "<figure>" + picture->second + "</figure>";
    }
    return "<p>" + inline_html(text) + "</p>";
}

std::string contents_of(const std::vector<Heading>& headings, Tongue tongue) {
    std::string list;
    for (std::size_t i = 0; i < headings.size(); ++i) {
        if (headings[i].level == 2) list += std::format("<li><a href=\"#s{}\">{}</a></li>", i + 1, headings[i].text);
    }
    return "<nav><strong>" + std::string(text(Text::contents, tongue)) + "</strong><ul>" + list + "</ul></nav>";
}

/// The text of HTML without its markup.
std::string plain(std::string_view html) {
    std::string text;
    bool is_tag = false;
    for (const char c : html) {
        if (c == '<') is_tag = true;
        if (!is_tag) text += c;
        if (c == '>') is_tag = false;
    }
    return text;
}

constexpr std::string_view styles = R"(
:root { color-scheme: light dark; --paper: #ffffff; --text: #1d2127; --muted: #5b6470; --grid: #dfe3e8; --code: #f3f5f7;
  --c0: #0060a8; --c1: #b34700; --c2: #00755e; --c3: #8a3a83; --c4: #7a6200; --c5: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --text: #e3e6ea; --muted: #9aa4b0; --grid: #333a42; --code: #21262c;
  --c0: #6cb8ff; --c1: #ffa04d; --c2: #4dd6b3; --c3: #e39bdc; --c4: #e0c54d; --c5: #ff8a80; } }
body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 1.8rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--grid); padding-bottom: .2rem; }
a { color: var(--c0); } nav ul { margin: .3rem 0; columns: 18rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; margin: .8rem 0; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid var(--grid); padding: .25rem .6rem; text-align: left; vertical-align: top; } th { background: var(--code); }
code { background: var(--code); padding: 0 .2em; border-radius: 3px; font: .9em ui-monospace, monospace; }
pre { background: var(--code); padding: .8rem; overflow-x: auto; border-radius: 4px; } pre code { padding: 0; }
figure { margin: 1rem 0; } svg.chart { max-width: 100%; height: auto; font-size: 12px; }
.chart text { fill: var(--text); } .chart .grid { stroke: var(--grid); } .chart .ink { stroke: var(--muted); fill: none; }
.chart .limit { stroke: var(--muted); stroke-dasharray: 6 4; fill: none; } .chart polyline { fill: none; stroke-width: 1.5; }
.chart .series-0 { stroke: var(--c0); --own: var(--c0); } .chart .series-1 { stroke: var(--c1); --own: var(--c1); }
.chart .series-2 { stroke: var(--c2); --own: var(--c2); } .chart .series-3 { stroke: var(--c3); --own: var(--c3); }
.chart .series-4 { stroke: var(--c4); --own: var(--c4); } .chart .series-5 { stroke: var(--c5); --own: var(--c5); }
.chart .filled { fill: var(--own); } .chart rect { fill: var(--own); fill-opacity: .55; stroke: none; } .chart .failed { stroke: var(--c5); stroke-width: 2; fill: none; }
@media print { body { font-size: 11px; } nav { display: none; } })";

}  // namespace

std::string to_html(std::string_view markdown, const Pictures& pictures) {
    return Converter(markdown, pictures).convert();
}

std::string html_page(std::string_view markdown, const Pictures& pictures, Tongue tongue) {
    Converter converter(markdown, pictures);
    std::string body = converter.convert();
    const std::string title = converter.headings().empty() ? "" : plain(converter.headings().front().text);
    const std::size_t first = body.find("\n", body.find("</h1>"));  // the contents follow the title
    body.insert(first == std::string::npos ? 0 : first + 1, contents_of(converter.headings(), tongue) + "\n");
    return std::format(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<title>{}</title>\n<style>{}\n</style>\n</head>\n<body>\n<main>\n{}</main>\n"
        "</body>\n</html>\n",
        tongue == Tongue::chinese ? "zh" : "en", title, styles, body);
}

}  // namespace kernelgen
