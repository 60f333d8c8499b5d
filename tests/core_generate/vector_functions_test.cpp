// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <format>
#include <limits>
#include <random>

#include "tests/core_generate/compiled.h"

namespace kernelgen::tests {

namespace {

/// A function of the header: its name, what it computes in long double, and the largest |x| that is swept.
struct Function {
    std::string name;
    long double (*exact)(long double);
    double widest;
    double units = 2;  ///< in the last place, the largest error
};

long double sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }
long double rsqrt(long double x) { return 1 / std::sqrt(x); }

const std::vector<Function> functions = {
    {"exp", std::exp, 1000},        {"exp2", std::exp2, 1200},     {"expm1", std::expm1, 1000},
    {"tanh", std::tanh, 30, 2.5},   {"sigmoid", sigmoid, 85, 2.5}, {"erf", std::erf, 8},
    {"log", std::log, 1e300},       {"log2", std::log2, 1e300},    {"log1p", std::log1p, 1e300},
    {"sin", std::sin, 4e6},         {"cos", std::cos, 4e6},        {"sqrt", std::sqrt, 1e300},
    {"rsqrt", rsqrt, 1e300},        {"floor", std::floor, 1e9},    {"ceil", std::ceil, 1e9},
    {"round", std::nearbyint, 1e9}, {"abs", std::fabs, 1e300},
};

std::string source() {
    std::string text = "#include \"kernelgen.h\"\n";
    for (const Function& each : functions) {
        for (const std::string type : {"float", "double"}) {
            text += "extern \"C\" void " + each.name + "_" + type + "(const " + type + "* x, " + type +
                    "* y, int64_t n) {\n" + "    kg::for_columns<" + type +
                    ", 1>(0, n, [&](auto j) { kg::store(y, j, kg::" + each.name + "(kg::load(x, j))); });\n}\n";
        }
    }
    return text;
}

/// Everything that is special, and values of every magnitude up to `widest`.
template <class T>
std::vector<T> arguments(double widest) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values = {T(0),
                             -T(0),
                             T(1),
                             T(-1),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::min(),
                             -Limits::min(),
                             Limits::denorm_min(),
                             Limits::max(),
                             Limits::lowest(),
                             Limits::quiet_NaN(),
                             T(0.5),
                             T(2),
                             T(-0.5),
                             Limits::epsilon()};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1),
        exponent(-12, std::log10(std::min<double>(widest, Limits::max() / 4)));
    for (int i = 0; i < 20'000; ++i) {
        values.push_back(static_cast<T>(std::copysign(std::pow(10.0, exponent(random)), uniform(random))));
        values.push_back(static_cast<T>(uniform(random) * std::min(widest, 12.0)));
    }
    return values;
}

/// The distance between what a function gave and the exact value, in units in the last place of T.
template <class T>
double units_apart(T actual, long double exact) {
    const T rounded = static_cast<T>(exact);
    if (std::isnan(exact) || std::isnan(actual)) return std::isnan(exact) && std::isnan(actual) ? 0 : 1e30;
    if (std::isinf(rounded) || std::isinf(actual)) return rounded == actual ? 0 : 1e30;
    const T magnitude = std::max(std::abs(rounded), std::numeric_limits<T>::min());
    const T unit = std::nextafter(magnitude, std::numeric_limits<T>::infinity()) - magnitude;
    return static_cast<double>(std::abs(static_cast<long double>(actual) - exact) / static_cast<long double>(unit));
}

template <class T>
void sweep(const Function& function, const Compiled& compiled) {
    const std::vector<T> x = arguments<T>(function.widest);
    std::vector<T> y(x.size());
    const std::string name = function.name + (sizeof(T) == 4 ? "_float" : "_double");
    compiled.function<void(const T*, T*, std::int64_t)>(name)(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    double worst = 0;
    T worst_x = 0, worst_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double units = units_apart(y[i], function.exact(static_cast<long double>(x[i])));
        if (units > worst) worst = units, worst_x = x[i], worst_y = y[i];
    }
    EXPECT_LE(worst, function.units) << name << "(" << worst_x << ") = " << worst_y;
}

void sweep_all(const std::string& machine) {
    const Compiled compiled(source(), machine);
    for (const Function& each : functions) {
        sweep<float>(each, compiled);
        sweep<double>(each, compiled);
    }
}

constexpr double exponents[] = {0.5, -0.5, 1.5, -1.5, 0.25, -0.25, 1.0 / 3, 2.5, 0,  1,   -1,
                                2,   -2,   3,   -3,   4,    5,     -7,      10,  31, 0.1, 1e10};

std::string power_source() {
    std::string text = "#include \"kernelgen.h\"\n";
    for (const std::string type : {"float", "double"}) {
        for (std::size_t i = 0; i < std::size(exponents); ++i) {
            text += std::format(
                "extern \"C\" void power_{0}_{1}(const {0}* x, {0}* y, int64_t n) {{\n"
                "    kg::for_columns<{0}, 1>(0, n, [&](auto j) {{ kg::store(y, j, kg::power(kg::load(x, j), "
                "{0}({2}))); }});\n"
                "}}\nextern \"C\" void naive_power_{0}_{1}(const {0}* x, {0}* y, int64_t n) {{\n"
                "    for (int64_t j = 0; j < n; ++j) y[j] = kg::power(x[j], {0}({2}));\n}}\n",
                type, i, exponents[i]);
        }
    }
    return text;
}

/// C's table (annex F.10.4.4) for bases of every kind, negative ones and infinities among them.
template <class T>
void expect_powers_as_in_c(const Compiled& compiled, const std::string& type) {
    std::vector<T> bases = arguments<T>(12);
    bases.resize(256);  // the special ones and some ordinary
    for (const double base : {-8.0, -3.0, -2.0, -0.5, 0.5, 2.0, 3.0, 8.0, 1e30, -1e30})
        bases.push_back(static_cast<T>(base));
    T (*volatile library)(T, T) = std::pow;
    for (std::size_t i = 0; i < std::size(exponents); ++i) {
        for (const std::string name : {"power_", "naive_power_"}) {
            std::vector<T> y(bases.size());
            compiled.function<void(const T*, T*, std::int64_t)>(name + type + "_" + std::to_string(i))(
                bases.data(), y.data(), static_cast<std::int64_t>(bases.size()));
            for (std::size_t k = 0; k < bases.size(); ++k) {
                const T wanted = library(bases[k], static_cast<T>(exponents[i]));
                EXPECT_LE(units_apart(y[k], static_cast<long double>(wanted)), 4)
                    << name << type << "(" << bases[k] << ", " << exponents[i] << ") = " << y[k] << ", not " << wanted;
                EXPECT_TRUE(wanted != 0 || std::signbit(y[k]) == std::signbit(wanted))
                    << name << type << "(" << bases[k] << ", " << exponents[i] << ")";
            }
        }
    }
}

TEST(Vector_functions, have_powers_as_c_has_them) {
    for (const std::string machine : {"native", "x86-64"}) {
        const Compiled compiled(power_source(), machine);
        expect_powers_as_in_c<float>(compiled, "float");
        expect_powers_as_in_c<double>(compiled, "double");
    }
}

TEST(Vector_functions, are_near_the_exact_value_everywhere) { sweep_all("native"); }
TEST(Vector_functions, are_near_the_exact_value_without_wide_vectors) { sweep_all("x86-64"); }

}  // namespace

}  // namespace kernelgen::tests
