// SPDX-License-Identifier: Apache-2.0
// What is wrong with a body, where, and what to do about it.
#include <gtest/gtest.h>

#include "core/lang/body.h"
#include "tests/core_lang/definitions.h"

namespace kernelgen {
namespace {

std::string errors_of(const Operator& definition) {
    const Validated<Body> body = analyse(definition);
    return body ? "" : to_string(body.error());
}

TEST(BodyErrors, PointAtTheUnknownNameAndSuggestTheNearest) {
    EXPECT_EQ(errors_of(define("out = 1.5 * x + bais + bias")),
              "body:1:17: unknown name `bais`; did you mean `bias`?\n");
    EXPECT_EQ(errors_of(define("t = x + bias\nout = tt")), "body:2:7: unknown name `tt`; did you mean `t`?\n");
    EXPECT_EQ(errors_of(define("out = x + bias + wholly_different")), "body:1:18: unknown name `wholly_different`\n");
}

TEST(BodyErrors, AreAllReported) {
    EXPECT_EQ(errors_of(define("a = sqr(x)\nb = max(x)\nc = bais +\nx = bias")),
              "body:3:11: unexpected end of line; expected a number, a name, a function or `(`\n"
              "body:1:5: unknown function `sqr`; did you mean `sqrt`?\n"
              "body:2:5: `max` takes 2 or more arguments, not 1\n"
              "body:4:1: `x` is an input and cannot be assigned\n"
              "body: output `out` is not assigned; add `out = …`\n");
}

TEST(BodyErrors, DoNotFollowFromOneAnother) {
    EXPECT_EQ(errors_of(define("t = x + bais + bias\nu = t * 2\nout = exp(u) + t")),
              "body:1:9: unknown name `bais`; did you mean `bias`?\n");
    EXPECT_EQ(errors_of(define("t = x +\nout = t + bias")),
              "body:1:8: unexpected end of line; expected a number, a name, a function or `(`\n");
}

TEST(BodyErrors, FindCycles) {
    EXPECT_EQ(
        errors_of(define("a = b + x\nb = a + bias\nout = b")),
        "body:1:5: `b` is used before its assignment at body:2:1; assignments are evaluated in order and cannot form a "
        "cycle\n");
    EXPECT_EQ(errors_of(define("out = out + x + bias")),
              "body:1:7: `out` is used before its assignment at body:1:1; assignments are evaluated in order and "
              "cannot form a "
              "cycle\n");
}

TEST(BodyErrors, ProtectTheNamesOfTheDefinition) {
    EXPECT_EQ(errors_of(define("bias = x; P = 2; eps = 1; exp = x; pi = 3; out = x + bias")),
              "body:1:1: `bias` is an input and cannot be assigned\n"
              "body:1:11: `P` is a symbol and cannot be assigned\n"
              "body:1:18: `eps` is an attribute and cannot be assigned\n"
              "body:1:27: `exp` is a word of the language; choose another name\n"
              "body:1:36: `pi` is a word of the language; choose another name\n");
    EXPECT_EQ(errors_of(define("t = x\nt = bias\nout = t + x + bias")),
              "body:2:1: `t` is assigned twice; give the second value another name\n");
}

TEST(BodyErrors, CountArguments) {
    EXPECT_EQ(errors_of(define("out = exp(x, bias)")), "body:1:7: `exp` takes 1 argument, not 2\n");
    EXPECT_EQ(errors_of(define("out = clamp(x, bias)")), "body:1:7: `clamp` takes 3 arguments, not 2\n");
    EXPECT_EQ(errors_of(define("out = exp() + x + bias")), "body:1:7: `exp` takes 1 argument, not 0\n");
    EXPECT_EQ(errors_of(define("out = max(x, bias, 1, 2, eps)")), "");
}

TEST(BodyErrors, TellFunctionsFromNames) {
    EXPECT_EQ(errors_of(define("out = x + bias * exp")), "body:1:18: `exp` is a function; call it: `exp(…)`\n");
    EXPECT_EQ(errors_of(define("out = bias(x)")), "body:1:7: unknown function `bias`\n");
}

TEST(BodyErrors, SayThatIntegerDivisionIsForIntegerExpressions) {
    EXPECT_EQ(errors_of(define("out = x // bias")),
              "body:1:9: `//` is for integer expressions; use floor(a / b) in a body\n");
    EXPECT_EQ(errors_of(define("out = x % bias")),
              "body:1:9: `%` is for integer expressions; use floor(a / b) in a body\n");
}

TEST(BodyErrors, NameOutputsThatNothingAssignsAndInputsThatNothingUses) {
    EXPECT_EQ(errors_of(define("out = x + bias", "x:P,D bias:D", "out:P,D mask:P,D")),
              "body: output `mask` is not assigned; add `mask = …`\n");
    EXPECT_EQ(errors_of(define("out = x")), "body: input `bias` is not used; use it, or remove it from the inputs\n");
    EXPECT_EQ(errors_of(define("", "", "out:P,D")), "body: output `out` is not assigned; add `out = …`\n");
}

TEST(BodyErrors, PointAtShapesThatDoNotBroadcast) {
    EXPECT_EQ(errors_of(define("out = x + scale", "x:P,D scale:P")),
              "body:1:9: shapes [P, D] and [P] do not broadcast: `D` against `P`\n");
    EXPECT_EQ(errors_of(define("out = x + y", "x:P,4 y:P,5", "out:P,4")),
              "body:1:9: shapes [P, 4] and [P, 5] do not broadcast: `4` against `5`\n");
    EXPECT_EQ(errors_of(define("out = x", "x:P,D", "out:D")),
              "body:1:1: output `out` is declared [D], but its value has shape [P, D]\n");
    EXPECT_EQ(errors_of(define("out = row_sum(eps) + x", "x:P,D")),
              "body:1:7: `row_sum` of a scalar: it has no last axis\n");
}

TEST(BodyErrors, RefuseOutputsOfAnotherShapeThanTheComputation) {
    EXPECT_EQ(
        errors_of(define("m = bias * 2; out = x + bias", "x:P,D bias:D", "out:P,D m:D")),
        "body:1:1: output `m` has shape [D], but the body's rows are of [P, D]; an output has the shape of the whole "
        "computation, or that with its last axis reduced\n");
}

TEST(BodyErrors, AreLimitedInNumber) {
    std::string body;
    for (int i = 0; i < 5000; ++i) body += "a" + std::to_string(i) + "=q;";
    const auto checked = analyse(define(body));
    ASSERT_FALSE(checked);
    EXPECT_LE(checked.error().size(), 101u);
}

TEST(BodyErrors, SayOnceThatThereAreTooManyOperations) {
    std::string body = "t0 = x + bias\n";
    for (int i = 1; i < 5000; ++i) body += "t" + std::to_string(i) + "=-t" + std::to_string(i - 1) + "\n";
    body = body.substr(0, body.rfind("t4200="));
    EXPECT_EQ(errors_of(define(body + "out = t0")), "body:1:1: more than 4096 operations\n");
}

TEST(BodyErrors, FindNothingInHostileTextsThatAreRight) {
    std::string text = "x";
    for (int i = 0; i < 190; ++i) text = "(" + text + ")";
    EXPECT_EQ(errors_of(define("out = " + text + " + bias")), "");
}

}  // namespace
}  // namespace kernelgen
