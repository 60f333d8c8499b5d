// SPDX-License-Identifier: Apache-2.0
#include "core/report/html.h"

#include <gmock/gmock.h>

#include "core/report/markdown.h"

namespace kernelgen {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string html(const std::string& markdown) { return to_html(markdown, {}); }

TEST(Html, HasTheBlocksOfADocument) {
    EXPECT_EQ(html(heading(2, "Two") + paragraph("Words.")), "<h2 id=\"s1\">Two</h2>\n<p>Words.</p>\n");
    EXPECT_EQ(html(bullet("one") + bullet("two")), "<ul><li>one</li><li>two</li></ul>\n");
    EXPECT_EQ(html(fenced("cpp", "a < b;\n")), "<pre><code>a &lt; b;\n</code></pre>\n");
}

TEST(Html, HasTables) {
    EXPECT_EQ(
        html(to_markdown({{"a", "b"}, {{"1", "x | y"}}})),
        "<div class=\"table\"><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x | y</td></tr></table></div>\n");
}

TEST(Html, ShowsCodeAndBoldText) {
    EXPECT_EQ(html(paragraph("**Kind**: " + in_code("a<b`c"))),
              "<p><strong>Kind</strong>: <code>a&lt;b`c</code></p>\n");
}

TEST(Html, MakesNoMarkupOfTexts) {
    const std::string evil = "<script>alert(\"1\")</script> & <b>";
    EXPECT_EQ(html(paragraph(as_prose(evil))),
              "<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;b&gt;</p>\n");
    EXPECT_THAT(html(paragraph(evil)), Not(HasSubstr("<script")));
    EXPECT_THAT(html(fenced("", evil)), Not(HasSubstr("<script")));
    EXPECT_THAT(html(heading(3, evil)), Not(HasSubstr("<script")));
}

TEST(Markdown, ShowsNoPictureOfANote) {
    EXPECT_EQ(as_prose("see ![it](http://example.com/1.png)"), "see ! [it](http://example.com/1.png)");
}

TEST(Html, LeavesUnclosedMarksAsTheyAre) { EXPECT_EQ(html("a ** b `c\n"), "<p>a ** b `c</p>\n"); }

TEST(Html, PutsInOnlyTheGivenPictures) {
    const Pictures pictures = {{"chart-0.svg", "<svg></svg>"}};
    EXPECT_EQ(to_html("![x](chart-0.svg)\n", pictures), "<figure><svg></svg></figure>\n");
    EXPECT_EQ(to_html("![x](http://example.org/a.png)\n", pictures), "\n");
}

TEST(HtmlPage, NeedsNothingFromOutside) {
    const std::string page = html_page("# Title\n\n## Part\n\nText.\n", {}, Tongue::english);
    EXPECT_THAT(page, HasSubstr("<title>Title</title>"));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, HasSubstr("<li><a href=\"#s2\">Part</a></li>"));
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
    for (const char* each : {"http://", "https://", "src=", "@import", "url("}) EXPECT_THAT(page, Not(HasSubstr(each)));
}

TEST(HtmlPage, SaysItsLanguage) {
    EXPECT_THAT(html_page("# 标题\n", {}, Tongue::chinese), HasSubstr("<html lang=\"zh\">"));
}

}  // namespace
}  // namespace kernelgen
