// SPDX-License-Identifier: Apache-2.0
// Strict JSON: what is refused, how it is said, and how values are read and written.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/json_format.h"
#include "core/base/json_reader.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::string errors_of(std::string_view text) {
    const Validated<json> document = parse_json(text, "a.json");
    return document ? "" : to_string(document.error());
}

TEST(ParseJson, ReadsADocument) {
    const json document = parse_json("\xef\xbb\xbf{\"a\": [1, -2.5, true, null, \"µ\"]}", "a.json").value();
    EXPECT_EQ(document, json({{"a", {1, -2.5, true, nullptr, "µ"}}}));
}

TEST(ParseJson, SaysLineAndColumnOfASyntaxError) {
    EXPECT_EQ(errors_of("{\n  \"a\": 1,\n}").substr(0, 45), "a.json: line 3, column 1: is not valid JSON: ");
    EXPECT_EQ(errors_of("{\"µ\" 1}").substr(0, 45), "a.json: line 1, column 6: is not valid JSON: ");
}

TEST(ParseJson, RefusesWhatIsNoJson) {
    EXPECT_EQ(errors_of(""), "a.json: is empty\n");
    EXPECT_EQ(errors_of(" \n\t"), "a.json: is empty\n");
    for (const char* text : {"{", "[1,]", "{\"a\":1,}", "nul", "NaN", "Infinity", "01", "'a'", "\"\x01\"", "\"\xff\"",
                             "[1] 2", "// c\n1", "\"\\ud800\"", "1e999", "{\"a\"}", "{a: 1}"}) {
        EXPECT_NE(errors_of(text).find("is not valid JSON"), std::string::npos) << text;
    }
}

TEST(ParseJson, RefusesBinaryWithoutPrintingIt) {
    const std::string message =
        errors_of(std::string_view("\x7f"
                                   "ELF\x02\x01\x01\0\0\0\xff\xfe",
                                   12));
    for (const unsigned char c : message.substr(0, message.size() - 1)) EXPECT_TRUE(c >= 32 && c < 127) << message;
}

TEST(ParseJson, ReportsEveryKeyThatIsGivenTwice) {
    EXPECT_EQ(errors_of(R"({"a": 1, "a": 2, "b": {"c": [{"d": 1, "d": 2}]}})"),
              "a.json: a: the key `a` is given twice; remove one of them\n"
              "a.json: b.c[0].d: the key `d` is given twice; remove one of them\n");
}

TEST(ParseJson, RefusesIntegersBeyond64Bits) {
    EXPECT_EQ(errors_of(R"({"P": [1, 18446744073709551616]})"),
              "a.json: P[1]: the integer `18446744073709551616` does not fit 64 bits\n");
    EXPECT_EQ(errors_of("-9223372036854775808"), "");
    EXPECT_EQ(errors_of("-9223372036854775809"), "a.json: the integer `-9223372036854775809` does not fit 64 bits\n");
}

TEST(ParseJson, RefusesDeepNestingOfAnyDepth) {
    EXPECT_EQ(errors_of(std::string(64, '[') + std::string(64, ']')), "");
    EXPECT_EQ(errors_of(std::string(65, '[') + std::string(65, ']')), "a.json: is nested deeper than 64 levels\n");
    EXPECT_EQ(errors_of(std::string(10'000'000, '[')), "a.json: is nested deeper than 64 levels\n");
    std::string objects;
    for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
    EXPECT_EQ(errors_of(objects), "a.json: is nested deeper than 64 levels\n");
}

/// What a reader that expects an object with a name and a list of sizes says.
struct Example {
    std::string name;
    std::vector<std::int64_t> sizes;
    std::optional<double> scale;
};

void read(const JsonPlace& place, Example& example) {
    JsonObject object(place);
    object.required("name", example.name);
    object.required("sizes", example.sizes);
    object.optional("scale", example.scale);
    object.finish();
}

std::string reading(std::string_view text) {
    const json document = parse_json(text, "a.json").value();
    Diagnostics diagnostics;
    std::vector<Example> examples;
    read(JsonPlace(document, diagnostics), examples);
    return to_string(diagnostics);
}

TEST(JsonObject, ReadsWhatIsThere) {
    EXPECT_EQ(reading(R"([{"name": "a", "sizes": [1, 2]}, {"name": "b", "sizes": [], "scale": 2}])"), "");
}

TEST(JsonObject, NamesUnknownKeysTheirPathAndTheNearest) {
    EXPECT_EQ(reading(R"([{"name": "a", "size": [], "weight": 3}])"),
              "[0]: the key `sizes` is missing\n"
              "[0].size: unknown key `size`; did you mean `sizes`?\n"
              "[0].weight: unknown key `weight`; one of: name, sizes, scale\n");
}

TEST(JsonObject, SaysWhatWasExpectedAndFound) {
    EXPECT_EQ(reading(R"([{"name": 3, "sizes": [1, "two", 2.5, null, true, [], {}], "scale": "x"}, 7])"),
              "[0].name: expected a string, found the number 3\n"
              "[0].sizes[1]: expected an integer, found the string `two`\n"
              "[0].sizes[2]: expected an integer, found the number 2.5\n"
              "[0].sizes[3]: expected an integer, found null\n"
              "[0].sizes[4]: expected an integer, found true\n"
              "[0].sizes[5]: expected an integer, found an array\n"
              "[0].sizes[6]: expected an integer, found an object\n"
              "[0].scale: expected a number, found the string `x`\n"
              "[1]: expected an object, found the number 7\n");
    EXPECT_EQ(reading("{}"), "expected an array, found an object\n");
}

TEST(JsonObject, RefusesIntegersBeyondSigned64Bits) {
    EXPECT_EQ(reading(R"([{"name": "", "sizes": [9223372036854775807, 9223372036854775808]}])"),
              "[0].sizes[1]: the integer 9223372036854775808 does not fit 64 bits\n");
}

TEST(JsonObject, WritesStrangeKeysSafely) {
    const std::string message = reading(R"([{"name": "", "sizes": [], "a b\n\u001b[31m": 1, "": 2}])");
    EXPECT_EQ(message,
              "[0][``]: unknown key ``; one of: name, sizes, scale\n"
              "[0][`a b??[31m`]: unknown key `a b??[31m`; one of: name, sizes, scale\n");
}

TEST(JsonObject, RefusesListsThatNobodyWrote) {
    json document = json::array();
    for (int i = 0; i < 10001; ++i) document.push_back(0);
    Diagnostics diagnostics;
    std::vector<std::int64_t> values;
    read(JsonPlace(document, diagnostics), values);
    EXPECT_EQ(to_string(diagnostics), "has 10001 elements; at most 10000 are read\n");
    EXPECT_TRUE(values.empty());
}

TEST(JsonObject, KeepsTheFirstThousandErrors) {
    json document = json::array();
    for (int i = 0; i < 5000; ++i) document.push_back("no");
    Diagnostics diagnostics;
    std::vector<std::int64_t> values;
    read(JsonPlace(document, diagnostics), values);
    EXPECT_EQ(diagnostics.size(), 1000u);
}

TEST(InBackquotes, CutsLongTextsBetweenCharacters) {
    EXPECT_EQ(in_backquotes("a\nb"), "`a?b`");
    EXPECT_EQ(in_backquotes(std::string(60, 'a')), "`" + std::string(60, 'a') + "`");
    EXPECT_EQ(in_backquotes(std::string(59, 'a') + "µµ"), "`" + std::string(59, 'a') + "…`");
}

TEST(JsonNumber, CarriesNaNAndInfinitiesAsStrings) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(json_number(1.5), 1.5);
    EXPECT_EQ(json_number(std::nan("")), "nan");
    EXPECT_EQ(json_number(-inf), "-inf");
    EXPECT_EQ(number_from_json(json_number(inf)), inf);
    EXPECT_EQ(number_from_json(json_number(-inf)), -inf);
    EXPECT_EQ(number_from_json(7), 7);
    EXPECT_TRUE(std::isnan(number_from_json(json_number(std::nan("")))));
    EXPECT_TRUE(std::isnan(number_from_json(json::array())));
}

TEST(FormatJson, KeepsShortValuesOnOneLineAndKeysInOrder) {
    const ordered_json value = {{"z", 1}, {"a", {1, 2, 3}}, {"empty", ordered_json::array()}};
    EXPECT_EQ(format_json(value), "{\"z\": 1, \"a\": [1, 2, 3], \"empty\": []}\n");
}

TEST(FormatJson, BreaksLongValues) {
    ordered_json value;
    for (int i = 0; i < 40; ++i) value["numbers"].push_back(i * 1000);
    value["name"] = "x";
    const std::string text = format_json(value);
    EXPECT_EQ(json::parse(text), json(value));
    std::size_t longest = 0, line = 0;
    for (const char c : text) line = c == '\n' ? 0 : line + 1, longest = std::max(longest, line);
    EXPECT_LE(longest, 100u);
}

TEST(FormatJson, ReplacesBytesThatAreNoUtf8) { EXPECT_EQ(format_json("a\xff"), "\"a\xef\xbf\xbd\"\n"); }

TEST(ToString, LeavesOutWhatADiagnosticDoesNotHave) {
    EXPECT_EQ(to_string(Diagnostic{"f", "w", "m", "s"}), "f: w: m; s");
    EXPECT_EQ(to_string(Diagnostic{"", "", "m", ""}), "m");
    EXPECT_EQ(to_string(Diagnostics{{"", "a", "m", ""}, {"", "b", "n", ""}}), "a: m\nb: n\n");
}

}  // namespace
}  // namespace kernelgen
