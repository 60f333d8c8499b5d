// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/generate/byte_products.h"
#include "core/generate/generate.h"
#include "core/generate/lower.h"
#include "core/generate/torch_attention.h"
#include "core/lang/attention.h"
#include "core/lang/body.h"
#include "core/lang/contraction.h"
#include "core/lang/integer_expression.h"

namespace kernelgen {

namespace {

/// Rows and columns of a case, from the most wanted: large enough to leave the caches, small enough for a second's run.
struct Extent {
    std::int64_t rows, columns;
};
/// M, N and K of a contraction, from the most wanted.
constexpr std::int64_t products_to_try[] = {1024, 512, 256, 64, 16, 1};
constexpr Extent extents_to_try[] = {{4096, 4096}, {4096, 1024}, {1024, 1024}, {4096, 64}, {64, 64}, {16, 16}, {1, 1}};

bool is_symbol(const Operator& definition, const std::string& dimension) {
    return std::ranges::find(definition.symbols, dimension) != definition.symbols.end();
}

/// Gives the last dimension the columns and shares the rows out among the leading ones.
Sizes sizes_for(const Operator& definition, const Body& body, Extent extent) {
    Sizes sizes;
    std::vector<std::string> leading;
    for (const std::string& each : body.space) {
        if (is_symbol(definition, each) && each != body.space.back() &&
            std::ranges::find(leading, each) == leading.end()) {
            leading.push_back(each);
        }
    }
    for (std::size_t i = 0; i < leading.size(); ++i) {
        std::int64_t share = 1;
        const auto product = [&](std::int64_t base) {
            std::int64_t result = 1;
            for (std::size_t k = i; k < leading.size(); ++k) result *= base;
            return result;
        };
        while (product(share * 2) <= extent.rows) share *= 2;
        sizes[leading[i]] = share;
        extent.rows /= share;
    }
    const std::int64_t columns = leading.empty() ? extent.rows * extent.columns : extent.columns;
    if (is_symbol(definition, body.space.back())) sizes[body.space.back()] = columns;
    for (const std::string& symbol : definition.symbols) sizes.try_emplace(symbol, 64);
    return sizes;
}

bool satisfies_constraints(const Operator& definition, const Sizes& sizes) {
    return std::ranges::all_of(definition.constraints, [&](const std::string& text) {
        const auto expression = IntegerExpression::parse(text, "constraint");
        if (!expression) return false;
        const auto value = expression->evaluate(sizes);
        return value && *value != 0;
    });
}

/// Sizes of a contraction: matrices of `size`, in a batch of 8 where there is one.
Sizes sizes_for(const Operator& definition, const Contraction& contraction, std::int64_t size) {
    Sizes sizes;
    for (const std::string& each : definition.symbols) {
        const bool is_batch = std::ranges::contains(contraction.batch(), each);
        sizes[each] = is_batch ? std::min<std::int64_t>(size, 8) : contraction.shape.size() > 2 ? (size + 1) / 2 : size;
    }
    return sizes;
}

/// Sizes of a convolution: images of 56 by 56, or smaller ones, with 64 channels and as many kernels of 3 by 3.
Sizes sizes_for(const Operator& definition, const Convolution& convolution, std::int64_t size) {
    Sizes sizes;
    for (const std::string& each : definition.symbols) sizes[each] = std::min<std::int64_t>(size, 64);
    const auto set = [&](const std::string& dimension, std::int64_t wanted) {
        if (const auto found = sizes.find(dimension); found != sizes.end()) found->second = std::min(size, wanted);
    };
    set(convolution.images, 8);
    set(convolution.height, 56);
    set(convolution.width, 56);
    set(convolution.kernel_height, 3);
    set(convolution.kernel_width, 3);
    fit_sizes(convolution, sizes);
    return sizes;
}

/// Sizes of attention: 8 heads of 64 elements over sequences of `size`.
Sizes sizes_for(const Operator& definition, const Attention& attention, std::int64_t size) {
    Sizes sizes;
    for (const std::string& each : definition.symbols) sizes[each] = size;
    const auto set = [&](const std::string& dimension, std::int64_t wanted) {
        if (const auto found = sizes.find(dimension); found != sizes.end()) found->second = std::min(size, wanted);
    };
    set(attention.batch, 1);
    set(attention.heads, 8);
    if (attention.kv_heads != attention.heads) set(attention.kv_heads, 2);
    set(attention.head_size, 64);
    constexpr std::int64_t block = 64;  // columns
    if (attention.is_paged()) {
        set(attention.block_size, block);
        set(attention.places, std::max<std::int64_t>(size / block, 1));
        set(attention.blocks, std::max<std::int64_t>(size / block, 1));
    }
    fit_sizes(attention, sizes);
    return sizes;
}

/// The most wanted sizes, then others.
std::vector<Sizes> sizes_to_try(const Operator& definition, const Body& body) {
    std::vector<Sizes> all;
    if (const Convolution* convolution = convolution_of(body)) {
        for (const std::int64_t size : products_to_try) all.push_back(sizes_for(definition, *convolution, size));
    } else if (body.attention) {
        for (const std::int64_t size : products_to_try) all.push_back(sizes_for(definition, *body.attention, size));
    } else if (body.contraction) {
        for (const std::int64_t size : products_to_try) all.push_back(sizes_for(definition, *body.contraction, size));
    } else {
        for (const Extent& extent : extents_to_try) all.push_back(sizes_for(definition, body, extent));
    }
    return all;
}

/// The most wanted sizes that satisfy the constraints, such as the largest multiples of 7; else the most wanted ones.
Sizes wanted_sizes(const Operator& definition, const Body& body) {
    constexpr std::int64_t most_divisor = 128;
    const std::vector<Sizes> all = sizes_to_try(definition, body);
    for (const Sizes& wanted : all) {
        for (std::int64_t divisor = 1; divisor <= most_divisor; ++divisor) {
            Sizes sizes = wanted;
            for (auto& [symbol, size] : sizes) size = std::max<std::int64_t>(1, size / divisor) * divisor;
            fit_sizes(body, sizes);
            if (satisfies_constraints(definition, sizes)) return sizes;
        }
    }
    return all.front();
}

Case make_case(const Operator& definition, const Body& body, DType dtype) {
    Case binding;
    binding.dtype = dtype;
    binding.sizes = wanted_sizes(definition, body);
    std::vector<std::string> parts, dimensions = body.space;
    if (const Convolution* of = convolution_of(body))
        dimensions = {of->images,  of->channels,      of->height,      of->width,
                      of->kernels, of->kernel_height, of->kernel_width};
    else if (body.attention && body.attention->is_paged())
        dimensions = {body.attention->batch,  body.attention->heads,      body.attention->rows,
                      body.attention->places, body.attention->block_size, body.attention->head_size};
    else if (body.attention)
        dimensions = {body.attention->batch, body.attention->heads, body.attention->rows, body.attention->columns,
                      body.attention->head_size};
    else if (body.contraction) dimensions.push_back(body.contraction->depth);
    for (const std::string& each : dimensions) {
        parts.push_back(is_symbol(definition, each) ? std::to_string(binding.sizes.at(each)) : each);
    }
    binding.name = join(parts, "x") + " " + std::string(to_string(dtype));
    return binding;
}

/// Whether tensors with a dtype of their own need f64: one of that dtype, or an output of integers, which are exact.
bool needs_f64(const Operator& definition) {
    const auto is_f64 = [](const Tensor& tensor) { return tensor.dtype == DType::f64; };
    const auto is_exact = [](const Tensor& tensor) { return tensor.dtype && is_integer(*tensor.dtype); };
    return std::ranges::any_of(definition.inputs, is_f64) || std::ranges::any_of(definition.outputs, is_f64) ||
           std::ranges::any_of(definition.outputs, is_exact);
}

/// f32 and bf16; f32 alone where no tensor follows the case.
std::vector<DType> dtypes_of_cases(const Operator& definition) {
    const auto follows = [](const Tensor& tensor) { return !tensor.dtype; };
    if (std::ranges::any_of(definition.inputs, follows) || std::ranges::any_of(definition.outputs, follows))
        return {DType::f32, DType::bf16};
    return {DType::f32};
}

/// What attention says of the columns that are seen: lengths up to the longest of the cases, and 0 or 1 of a mask.
/// Scales of operands are above 0, and differ by a factor of 4. A domain that was wanted stays. A log-sum-exp of
/// `attention_backward` is about the logarithm of their number, so that weights are as large as those of a softmax.
void give_domains(Operator& definition, const Attention& attention, const std::vector<Case>& cases) {
    std::int64_t most = 0;
    for (const Case& each : cases) most = std::max(most, sizes_of(attention, each.sizes).columns);
    const auto give = [&](int input, double high) {
        if (input < 0) return;
        std::optional<Domain>& domain = definition.inputs[static_cast<std::size_t>(input)].domain;
        if (!domain) domain = Domain{Domain::Kind::integers, 0, high};
    };
    give(attention.lengths, static_cast<double>(most));
    give(attention.mask, 1);
    if (attention.is_paged()) {
        std::int64_t blocks = 1;
        for (const Case& each : cases)
            blocks =
                std::max(blocks, extents(definition.inputs[static_cast<std::size_t>(attention.keys)], each.sizes)[0]);
        give(attention.block_table, static_cast<double>(blocks - 1));
    }
    for (const OperandScale* each : {&attention.query_scale, &attention.key_scale, &attention.value_scale}) {
        if (each->input < 0) continue;
        std::optional<Domain>& domain = definition.inputs[static_cast<std::size_t>(each->input)].domain;
        if (!domain) domain = Domain{Domain::Kind::interval, 0.5, 2};
    }
    if (!attention.is_backward()) return;
    std::optional<Domain>& sums = definition.inputs[static_cast<std::size_t>(attention.lse)].domain;
    const double least = std::floor(std::log(static_cast<double>(most)));
    if (!sums) sums = Domain{Domain::Kind::interval, least, least + 1};
}

/// Whether tensor cores multiply the operands only if products may be added more coarsely than in f32.
bool needs_coarse_sums(Operator definition, const Body& body) {
    if (definition.accumulate) return false;
    if (body.attention) return has_byte_operands(definition, *body.attention) && definition.arithmetic != DType::f64;
    if (!body.contraction) return false;
    definition.accumulate = Accumulation::f22;
    return uses_tensor_cores_for_bytes(definition, lower(body));
}

}  // namespace

Validated<Project> make_project(const Operator& wanted) {
    Operator definition = wanted;
    if (!definition.arithmetic && needs_f64(definition)) definition.arithmetic = DType::f64;
    const auto body = analyse(definition);
    if (!body) return std::unexpected(body.error());
    if (needs_coarse_sums(definition, *body)) definition.accumulate = Accumulation::f22;
    Project project;
    Diagnostics problems;
    const auto add = [&](Validated<GeneratedVariant> generated) {
        if (generated) project.variants.push_back(std::move(generated->variant));
        else problems = generated.error();
    };
    for (const DType dtype : dtypes_of_cases(definition)) project.cases.push_back(make_case(definition, *body, dtype));
    if (body->attention) give_domains(definition, *body->attention, project.cases);
    project.definition = definition;
    add(generate_host_variant(definition));
    add(generate_naive_variant(definition));
    add(generate_cuda_variant(definition, project.cases));
    if (has_cuda_naive_variant(definition)) add(generate_cuda_naive_variant(definition));
    if (has_cuda_atomic_variant(definition)) add(generate_cuda_atomic_variant(definition));
    const auto library = library_variant(definition), cudnn = cudnn_variant(definition);
    // PyTorch calls cuBLAS for a contraction, and has kernels for attention; for windows compiled ones.
    const bool compiled = body->attention && TorchAttention::is_faster_compiled(*body->attention);
    const std::string on_gpu = cudnn                                  ? "cudnn"
                               : compiled                             ? "torch_compile"
                               : body->contraction || body->attention ? "torch"
                                                                      : "cuda_naive";
    project.performance.baseline = {{"cpu", library ? "library" : "naive"}, {"cuda", on_gpu}};
    if (library) project.variants.push_back(*library);
    if (cudnn) project.variants.push_back(*cudnn);
    add(generate_triton_variant(definition));
    add(generate_torch_variant(definition));
    add(generate_torch_compile_variant(definition));
    if (!problems.empty()) return std::unexpected(problems);
    return project;
}

}  // namespace kernelgen
