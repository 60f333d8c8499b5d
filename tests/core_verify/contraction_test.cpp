// SPDX-License-Identifier: Apache-2.0
// How products of matrices are judged: any order of addition passes, and what is wrong in a few of its terms does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/verify/contraction_values.h"
#include "tests/core_verify/judging.h"

namespace kernelgen {
namespace {

using testing::Judged;

/// An operator on a[M, K], b[K, N] and bias[N].
Operator product_operator(const std::string& body, const std::string& a = "a:M,K", const std::string& b = "b:K,N") {
    Operator made = testing::tile(body, {a, b}, "out:M,N");
    made.symbols = {"M", "K", "N"};
    if (body.contains("bias")) made.inputs.push_back(testing::tensor("bias:N"));
    return made;
}

/// Products that a test adds up in its own way.
class ProductCase : public Judged {
public:
    ProductCase(const std::string& body, std::int64_t m, std::int64_t k, std::int64_t n, DType dtype = DType::f32,
                InputSet set = InputSet::normal)
        : ProductCase(product_operator(body), m, k, n, dtype, set) {}
    ProductCase(Operator op, std::int64_t m, std::int64_t k, std::int64_t n, DType dtype, InputSet set)
        : Judged(std::move(op), Sizes{{"M", m}, {"K", k}, {"N", n}}, dtype, set), rows(m), depth(k), columns(n) {
        const Elements elements = generated_inputs(definition, binding, set, seed);
        a.resize(static_cast<std::size_t>(m * k));
        b.resize(static_cast<std::size_t>(k * n));
        elements(0, 0, a);
        elements(1, 0, b);
    }

    double left(std::int64_t i, std::int64_t k) const { return a[static_cast<std::size_t>(i * depth + k)]; }
    double right(std::int64_t k, std::int64_t j) const { return b[static_cast<std::size_t>(k * columns + j)]; }

    /// Sets every output to sum(i, j).
    void set_to(const auto& sum) {
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                outputs[0][static_cast<std::size_t>(i * columns + j)] = sum(i, j);
    }
    double& at(std::int64_t i, std::int64_t j) { return outputs[0][static_cast<std::size_t>(i * columns + j)]; }

    std::int64_t rows, depth, columns;
    std::vector<double> a, b;
};

const std::string plain_product = "out = a @ b";

TEST(ContractionJudge, PassesEveryOrderOfAddition) {
    for (const InputSet set : {InputSet::normal, InputSet::ones, InputSet::wide, InputSet::negative}) {
        ProductCase product(plain_product, 12, 8192, 24, DType::f32, set);
        product.set_to([&](std::int64_t i, std::int64_t j) {
            float sum = 0;
            for (std::int64_t k = 0; k < product.depth; ++k)
                sum += static_cast<float>(product.left(i, k)) * static_cast<float>(product.right(k, j));
            return sum;
        });
        EXPECT_EQ(product.judge().status, Status::ok)
            << "forwards, " << to_string(set) << product.judge().reason.text();
        product.set_to([&](std::int64_t i, std::int64_t j) {
            float sum = 0;
            for (std::int64_t k = product.depth; k-- > 0;)
                sum += static_cast<float>(product.left(i, k)) * static_cast<float>(product.right(k, j));
            return sum;
        });
        EXPECT_EQ(product.judge().status, Status::ok) << "backwards, " << to_string(set);
        product.set_to([&](std::int64_t i, std::int64_t j) {
            float sum = 0;
            for (std::int64_t first = 0; first < product.depth; first += 16) {
                float part = 0;
                for (std::int64_t k = first; k < first + 16; ++k)
                    part += static_cast<float>(product.left(i, k)) * static_cast<float>(product.right(k, j));
                sum += part;
            }
            return sum;
        });
        EXPECT_EQ(product.judge().status, Status::ok) << "in parts, " << to_string(set);
    }
}

/// `value` without what is below a unit.
double cut(double value, double unit) { return std::trunc(value / unit) * unit; }
/// One spacing of f32 at the magnitude.
double spacing_at(double magnitude) { return std::ldexp(1.0, std::max(std::ilogb(magnitude) - 23, -149)); }

/// As tensor cores add: 8 products at a time to a sum, all cut off below the spacing of the largest.
double sum_of_tensor_cores(const ProductCase& product, std::int64_t i, std::int64_t j) {
    double sum = 0;
    for (std::int64_t first = 0; first < product.depth; first += 8) {
        std::vector<double> terms = {sum};
        for (std::int64_t k = first; k < std::min(first + 8, product.depth); ++k)
            terms.push_back(product.left(i, k) * product.right(k, j));
        double largest = 0, added = 0;
        for (const double term : terms) largest = std::max(largest, std::abs(term));
        const bool is_finite = std::ranges::all_of(terms, [](double term) { return std::isfinite(term); });
        for (const double term : terms) added += is_finite && largest > 0 ? cut(term, spacing_at(largest)) : term;
        sum = added == 0 || !is_finite ? added : cut(added, spacing_at(std::abs(added)));
    }
    return sum;
}

TEST(ContractionJudge, PassesSumsOfTensorCores) {
    const auto expect_ok = [](DType dtype, InputSet set, std::int64_t depth) {
        ProductCase product(plain_product, 32, depth, 32, dtype, set);
        product.set_to([&](std::int64_t i, std::int64_t j) { return sum_of_tensor_cores(product, i, j); });
        EXPECT_EQ(product.judge().status, Status::ok)
            << to_string(dtype) << ", " << to_string(set) << product.judge().reason.text();
    };
    expect_ok(DType::f16, InputSet::mixed, 2001);
    for (const DType dtype : {DType::f16, DType::bf16}) {
        for (const InputSet set : {InputSet::normal, InputSet::ones, InputSet::wide}) expect_ok(dtype, set, 1001);
    }
}

/// a @ b on operands of 8 bits, whose products a definition lets tensor cores add.
class ByteCase : public ProductCase {
public:
    ByteCase(std::int64_t k, DType dtype, InputSet set, std::optional<Accumulation> accumulate = Accumulation::f22,
             DType other = DType::f8e4m3)
        : ProductCase(operator_of(accumulate, other), 32, k, 32, dtype, set) {}

    /// As tensor cores of sm_90a add: 32 products at a time to a sum, all cut to 13 bits behind the point of the
    /// largest; after `promoted` products to a sum in f32.
    double coarse_sum(std::int64_t i, std::int64_t j, std::int64_t promoted) const {
        float all = 0;
        for (std::int64_t first = 0; first < depth; first += promoted) {
            double sum = 0;
            for (std::int64_t at = first; at < std::min(first + promoted, depth); at += 32) {
                std::vector<double> terms = {sum};
                for (std::int64_t k = at; k < std::min({at + 32, first + promoted, depth}); ++k)
                    terms.push_back(left(i, k) * right(k, j));
                double largest = 0;
                for (const double term : terms) largest = std::max(largest, std::abs(term));
                const double unit = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) - 13) : 1;
                sum = 0;
                for (const double term : terms) sum += cut(term, unit);
            }
            all += static_cast<float>(sum);
        }
        return all;
    }

private:
    static Operator operator_of(std::optional<Accumulation> accumulate, DType other) {
        Operator made = product_operator(plain_product);
        made.inputs[0].dtype = DType::f8e4m3;
        made.inputs[1].dtype = other;
        made.accumulate = accumulate;
        return made;
    }
};

TEST(ContractionJudge, PassesTheCoarseSumsThatADefinitionAllows) {
    const auto expect_ok = [](std::int64_t depth, DType dtype, InputSet set, DType other = DType::f8e4m3) {
        ByteCase product(depth, dtype, set, Accumulation::f22, other);
        product.set_to([&](std::int64_t i, std::int64_t j) { return round_to(dtype, product.coarse_sum(i, j, 128)); });
        EXPECT_EQ(product.judge().status, Status::ok)
            << to_string(dtype) << ", " << to_string(set) << ", " << depth << product.judge().reason.text();
    };
    for (const InputSet set : {InputSet::normal, InputSet::ones, InputSet::wide, InputSet::negative}) {
        for (const std::int64_t depth : {17, 128, 1001}) expect_ok(depth, DType::f32, set);
    }
    expect_ok(1001, DType::bf16, InputSet::normal, DType::f8e5m2);
    for (const InputSet set : {InputSet::normal, InputSet::negative, InputSet::ones}) expect_ok(8192, DType::f32, set);
}

/// The first is infinite in the outputs' dtype, the second in float64, too.
TEST(ContractionJudge, LetsCoarseSumsDecideBetweenInfinitiesOfBothSigns) {
    for (const std::string body : {"out = a @ b * 1e30 * 1e30", "out = a @ b * 1e200 * 1e200"}) {
        Operator scaled = product_operator(body);
        scaled.inputs[0].dtype = scaled.inputs[1].dtype = DType::f8e4m3;
        scaled.accumulate = Accumulation::f22;
        ProductCase product(scaled, 128, 1001, 128, DType::f32, InputSet::normal);
        int exchanged = 0;
        const auto set_to_signs = [&](double most) {
            product.set_to([&](std::int64_t i, std::int64_t j) {
                double sum = 0;
                for (std::int64_t k = 0; k < product.depth; ++k) sum += product.left(i, k) * product.right(k, j);
                const bool is_exchanged = std::abs(sum) < most;
                exchanged += is_exchanged && std::abs(sum) > 0.5 * most;
                return (is_exchanged ? -sum : sum) * std::numeric_limits<double>::infinity();
            });
            return product.judge();
        };
        EXPECT_EQ(set_to_signs(0.2).status, Status::ok) << body;
        EXPECT_GT(exchanged, 0);
        EXPECT_EQ(set_to_signs(2).status, Status::mismatch) << body;
    }
}

TEST(ContractionJudge, FindsCoarseSumsThatADefinitionDoesNotAllow) {
    ByteCase strict(1001, DType::f32, InputSet::normal, std::nullopt);
    strict.set_to([&](std::int64_t i, std::int64_t j) { return strict.coarse_sum(i, j, 128); });
    EXPECT_EQ(strict.judge().status, Status::mismatch);
    ByteCase whole(8192, DType::f32, InputSet::negative);  // never added in f32
    whole.set_to([&](std::int64_t i, std::int64_t j) { return whole.coarse_sum(i, j, 8192); });
    EXPECT_EQ(whole.judge().status, Status::mismatch);
}

TEST(ContractionJudge, FindsWhatIsWrongBesideCoarseSums) {
    ByteCase tail(8191, DType::f32, InputSet::normal);
    tail.set_to([&](std::int64_t i, std::int64_t j) {
        double sum = 0;
        for (std::int64_t k = 0; k < 8128; ++k) sum += tail.left(i, k) * tail.right(k, j);
        return sum;
    });
    EXPECT_EQ(tail.judge().status, Status::mismatch);
    ByteCase same_sign(8191, DType::f32, InputSet::negative);
    same_sign.set_to([&](std::int64_t i, std::int64_t j) {
        double sum = 0;
        for (std::int64_t k = 0; k < 8160; ++k) sum += same_sign.left(i, k) * same_sign.right(k, j);
        return sum;
    });
    EXPECT_EQ(same_sign.judge().status, Status::mismatch);
    ByteCase twice(256, DType::f32, InputSet::normal);
    twice.set_to([&](std::int64_t i, std::int64_t j) {
        double sum = twice.left(i, 100) * twice.right(100, j);
        for (std::int64_t k = 0; k < 256; ++k) sum += twice.left(i, k) * twice.right(k, j);
        return sum;
    });
    EXPECT_EQ(twice.judge().status, Status::mismatch);
}

TEST(ContractionJudge, FindsATailOfTheDepthThatIsLeftOut) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
        ProductCase product(plain_product, 32, 8191, 32, dtype);
        product.set_to([&](std::int64_t i, std::int64_t j) {
            double sum = 0;
            for (std::int64_t k = 0; k < 8176; ++k) sum += product.left(i, k) * product.right(k, j);
            return sum;
        });
        EXPECT_EQ(product.judge().status, Status::mismatch) << to_string(dtype);
    }
}

TEST(ContractionJudge, FindsOneElementOfTheDepthThatCountsTwice) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
        ProductCase product(plain_product, 64, 4096, 64, dtype);
        for (std::int64_t i = 0; i < product.rows; ++i)
            for (std::int64_t j = 0; j < product.columns; ++j)
                product.at(i, j) += product.left(i, 100) * product.right(100, j);
        EXPECT_EQ(product.judge().status, Status::mismatch) << to_string(dtype);
    }
}

TEST(ContractionJudge, FindsSumsThatBeginWithThoseOfTheTileBefore) {
    ProductCase product(plain_product, 32, 64, 64, DType::bf16);
    for (std::int64_t i = 0; i < product.rows; ++i)
        for (std::int64_t j = 32; j < 64; ++j) product.at(i, j) += product.at(i, j - 32);
    EXPECT_EQ(product.judge().status, Status::mismatch);
}

TEST(ContractionJudge, FindsFragmentsThatAreExchanged) {
    ProductCase product(plain_product, 64, 128, 64, DType::bf16);
    for (std::int64_t i = 0; i < 16; ++i)
        for (std::int64_t j = 0; j < 16; ++j) std::swap(product.at(i, j), product.at(i + 16, j + 16));
    EXPECT_EQ(product.judge().status, Status::mismatch);
}

TEST(ContractionJudge, FindsABiasThatIsAddedAfterTheActivation) {
    ProductCase product("out = relu(a @ b + bias)", 32, 256, 64, DType::bf16);
    product.outputs = product.evaluate(product_operator("out = relu(a @ b) + bias"));
    EXPECT_EQ(product.judge().status, Status::mismatch);
}

TEST(ContractionJudge, FindsSumsInHalfPrecision) {
    ProductCase product(plain_product, 16, 8192, 32, DType::f16);
    product.set_to([&](std::int64_t i, std::int64_t j) {
        double sum = 0;
        for (std::int64_t k = 0; k < product.depth; ++k)
            sum = round_to(DType::f16, sum + product.left(i, k) * product.right(k, j));
        return sum;
    });
    EXPECT_EQ(product.judge().status, Status::mismatch);
}

TEST(ContractionJudge, FindsOperandsThatWereRoundedToTf32) {
    const auto tf32 = [](double value) {  // ten bits of mantissa
        const double unit = std::ldexp(1.0, std::ilogb(value) - 10);
        return std::nearbyint(value / unit) * unit;
    };
    for (const std::int64_t depth : {16, 256, 8192}) {
        ProductCase product(plain_product, 16, depth, 32);
        product.set_to([&](std::int64_t i, std::int64_t j) {
            double sum = 0;
            for (std::int64_t k = 0; k < depth; ++k) sum += tf32(product.left(i, k)) * tf32(product.right(k, j));
            return sum;
        });
        EXPECT_EQ(product.judge().status, Status::mismatch) << depth;
    }
}

TEST(ContractionJudge, LeavesOutWhatOverflowsWhereAPrologueIsRoundedToTheDtype) {
    for (const DType dtype : {DType::f16, DType::bf16}) {
        ProductCase product("out = (1.01 * a) @ b", 128, 2001, 32, dtype, InputSet::mixed);
        product.set_to([&](std::int64_t i, std::int64_t j) {
            float sum = 0;
            for (std::int64_t k = 0; k < product.depth; ++k) {
                const float value = 1.01f * static_cast<float>(product.left(i, k));
                sum += static_cast<float>(round_to(dtype, value)) * static_cast<float>(product.right(k, j));
            }
            return sum;
        });
        const CaseAccuracy judged = product.judge();
        EXPECT_EQ(judged.status, Status::ok) << to_string(dtype) << ": " << judged.reason.text();
    }
}

TEST(ContractionJudge, LeavesOutWhatOverflowsInTheArithmeticOnly) {
    ProductCase product(plain_product, 8, 64, 8, DType::f32, InputSet::mixed);
    product.set_to([&](std::int64_t i, std::int64_t j) {
        float sum = 0;
        for (std::int64_t k = 0; k < product.depth; ++k)
            sum += static_cast<float>(product.left(i, k)) * static_cast<float>(product.right(k, j));
        return sum;
    });
    const CaseAccuracy judged = product.judge();
    EXPECT_EQ(judged.status, Status::ok) << judged.reason.text();
}

/// Σ left[i, k] · right[k, j] of a case, as the reference computes it, against a plain loop.
void expect_as_by_hand(const std::string& body, const std::string& a, const std::string& b, const Sizes& sizes,
                       const auto& left, const auto& right) {
    const Operator definition = product_operator(body, a, b);
    const Validated<Body> checked = analyse(definition);
    ASSERT_TRUE(checked.has_value()) << to_string(checked.error());
    const Case binding{"case", DType::f32, sizes};
    const Elements inputs = generated_inputs(definition, binding, InputSet::normal, 1);
    const std::int64_t m = sizes.at("M"), k = sizes.at("K"), n = sizes.at("N");
    std::vector<double> x(static_cast<std::size_t>(m * k)), y(static_cast<std::size_t>(k * n)),
        all(static_cast<std::size_t>(m * n));
    inputs(0, 0, x);
    inputs(1, 0, y);
    ContractionValues(definition, *checked, binding, inputs).read(0, all);
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::int64_t d = 0; d < k; ++d) sum += left(x, i, d) * right(y, d, j);
            ASSERT_NEAR(all[static_cast<std::size_t>(i * n + j)], sum, 1e-10 * static_cast<double>(k))
                << i << ", " << j;
        }
    }
}

TEST(ContractionValues, AreThoseOfALoopWhateverTheSizesAndTheLayout) {
    for (const auto& [m, k, n] : {std::array{1, 1, 1}, {1, 700, 17}, {65, 3, 15}, {130, 513, 33}, {64, 512, 16}}) {
        const Sizes sizes = {{"M", m}, {"K", k}, {"N", n}};
        const auto at = [](const std::vector<double>& matrix, std::int64_t row, std::int64_t column,
                           std::int64_t width) { return matrix[static_cast<std::size_t>(row * width + column)]; };
        expect_as_by_hand(
            "out = a @ b", "a:M,K", "b:K,N", sizes,
            [&](const auto& x, std::int64_t i, std::int64_t d) { return at(x, i, d, k); },
            [&](const auto& y, std::int64_t d, std::int64_t j) { return at(y, d, j, n); });
        expect_as_by_hand(
            "out = transpose(a) @ transpose(b)", "a:K,M", "b:N,K", sizes,
            [&](const auto& x, std::int64_t i, std::int64_t d) { return at(x, d, i, m); },
            [&](const auto& y, std::int64_t d, std::int64_t j) { return at(y, j, d, k); });
        expect_as_by_hand(
            "out = (2 * a + 1) @ b", "a:M,K", "b:K,N", sizes,
            [&](const auto& x, std::int64_t i, std::int64_t d) { return 2 * at(x, i, d, k) + 1; },
            [&](const auto& y, std::int64_t d, std::int64_t j) { return at(y, d, j, n); });
    }
}

/// Units of f32's rounding that the sum of 4,096 products of 1 may err by.
double allowed_units(DType dtype) {
    const Operator definition = product_operator(plain_product);
    const Case binding{"", dtype, {{"M", 2}, {"K", 4096}, {"N", 3}}};
    const auto ones = [](int, std::int64_t, std::span<double> values) { std::ranges::fill(values, 1.0); };
    const Body body = *analyse(definition);
    const InputsWithContraction inputs = with_contraction(definition, body, binding, ones);
    double exact = 0, rounded = 0;
    inputs.exact(2, 0, {&exact, 1});
    inputs.rounded(2, 0, {&rounded, 1});
    EXPECT_EQ(exact, 4096);
    return (rounded - exact) / std::ldexp(1.0, -24);
}

TEST(ContractionValues, AllowWhatTensorCoresCutOffFromSumsOf16BitOperands) {
    const double of_rounding = 4096 * (1 + 64 / 3.0), of_cutting = 4096 / 8 * 4096;
    EXPECT_NEAR(allowed_units(DType::f32), of_rounding, 1e-6 * of_rounding);
    EXPECT_NEAR(allowed_units(DType::bf16), of_rounding + of_cutting, 1e-6 * of_cutting);
    EXPECT_NEAR(allowed_units(DType::f16), of_rounding + of_cutting, 1e-6 * of_cutting);
}

}  // namespace
}  // namespace kernelgen
