// SPDX-License-Identifier: Apache-2.0
#include "core/generate/attention_backward_writer.h"

#include <algorithm>
#include <format>

namespace kernelgen {

std::string queries_entry(const Operator& definition) { return entry_name(definition) + "_queries"; }
std::string keys_entry(const Operator& definition) { return entry_name(definition) + "_keys"; }
std::string clear_entry(const Operator& definition) { return entry_name(definition) + "_clear"; }

std::string query_sums_name(const Operator& definition) { return workspace_name(definition, "query_sums"); }

std::optional<std::string> why_gradients_are_plain(const Operator& definition, const Attention& attention) {
    if (const auto why = why_attention_is_plain(definition, attention)) return why;
    if (attention.softcap > 0) return "logits have a soft cap";
    const auto has_own_dtype = [&](int input) {
        return definition.inputs[static_cast<std::size_t>(input)].dtype.has_value();
    };
    if (has_own_dtype(attention.output) || has_own_dtype(attention.output_gradient) ||
        std::ranges::any_of(definition.outputs, [](const Tensor& each) { return each.dtype.has_value(); }))
        return "results or gradients have a dtype of their own";
    return std::nullopt;
}

std::vector<TensorMap> maps_of_gradients(const Operator& definition, const Attention& attention) {
    std::vector<TensorMap> maps = maps_of_attention(definition, attention);
    maps.push_back(maps[0]);
    maps.back().tensor = definition.inputs[static_cast<std::size_t>(attention.output_gradient)].name;
    return maps;
}

AttentionBackwardWriter::AttentionBackwardWriter(const Operator& definition, const Body& lowered, Style style)
    : AttentionWriter(definition, lowered, style),
      has_tensor_tiles_(style == Style::cuda && !why_gradients_are_plain(definition, attention())) {
    if (has_tensor_tiles_)
        gradient_map_ = names_.take(maps_of_gradients(definition, attention()).back().tensor + "_map");
    names_.take(queries_entry(definition));
    names_.take(keys_entry(definition));
    queries_ = names_.take("queries");
    gradients_ = names_.take("gradients");
    results_ = names_.take("results");
    lse_ = names_.take("log_sum");
    keys_ = names_.take("keys");
    values_ = names_.take("values");
    slope_ = names_.take("slope");
    rows_ = names_.take("rows_of_head");
    delta_ = names_.take("delta");
    if (style != Style::naive) return;
    weight_ = names_.take("weight");
    gradient_ = names_.take("gradient");
    value_product_ = names_.take("value_product");
}

void AttentionBackwardWriter::write_top(std::string_view explanation) {
    const auto why = is_on_gpu() ? why_gradients_are_plain(definition_, attention()) : std::nullopt;
    write_head(std::string(explanation) + (why ? " Not by tensor cores: " + *why + "." : ""));
    write_include(is_on_gpu() ? "kernelgen.cuh" : "kernelgen.h");
    write_arithmetic(is_on_gpu());
    source_.line();
}

std::string AttentionBackwardWriter::write() {
    write_top("One kernel of rows for the gradient of the queries, one of columns for those of keys and values.");
    open_kernel_of(queries_entry(definition_));
    if (style_ == Style::host) write_queries();
    else if (style_ == Style::naive) write_naive_queries();
    else write_cuda_queries();
    source_.close("}");
    source_.line();
    source_.line(explanation_of_keys());
    open_kernel_of(keys_entry(definition_));
    if (style_ == Style::host) write_keys();
    else if (style_ == Style::naive) write_naive_keys();
    else write_cuda_keys();
    source_.close("}");
    return source_.text();
}

/// Where the body has tensor tiles, both ways; else the plain one.
template <class ForTensorCores, class Plain>
void AttentionBackwardWriter::write_either(const ForTensorCores& for_tensor_cores, const Plain& plain) {
    if (!has_tensor_tiles_) return plain();
    source_.line("#if COPY_WARPS > 0");
    for_tensor_cores();
    source_.line("#else");
    plain();
    source_.line("#endif");
}

std::string AttentionBackwardWriter::write_in_order() {
    query_sums_ = names_.take(query_sums_name(definition_));
    write_top(
        "By tensor cores a kernel of columns adds to the gradient of the queries, too, in a fixed order; otherwise "
        "each has a kernel.");
    open_kernel_of(clear_entry(definition_));
    source_.line("#if COPY_WARPS > 0");
    write_begin_of_rows();
    source_.line("#endif");
    source_.close("}");
    source_.line();
    source_.line(explanation_of_keys());
    open_kernel_of(keys_entry(definition_));
    write_either([&] { write_tensor_keys(true); }, [&] { write_cuda_keys(); });
    source_.close("}");
    source_.line();
    open_kernel_of(queries_entry(definition_));
    write_either([&] { write_end_of_rows(); }, [&] { write_cuda_queries(); });
    source_.close("}");
    return source_.text();
}

std::string AttentionBackwardWriter::write_with_atomics() {
    query_sums_ = names_.take(query_sums_name(definition_));
    adds_atomically_ = true;
    all_sums_ = names_.take("all_sums");
    step_ = names_.take("step");
    write_top("A kernel of columns for all gradients: several blocks add to those of the queries, in no fixed order.");
    write_element_kernel(clear_entry(definition_), true);
    source_.line();
    source_.line(explanation_of_keys());
    open_kernel_of(keys_entry(definition_));
    write_either([&] { write_tensor_keys(false); }, [&] { write_cuda_keys(); });
    source_.close("}");
    source_.line();
    write_element_kernel(queries_entry(definition_), false);
    return source_.text();
}

/// Plain, one thread for several elements: sums become 0, or the result.
void AttentionBackwardWriter::write_element_kernel(const std::string& entry, bool is_clearing) {
    open_kernel_of(entry);
    write_either([&] { is_clearing ? write_begin_of_rows() : write_end_of_rows(); },
                 [&] { write_each_sum(is_clearing); });
    source_.close("}");
}

void AttentionBackwardWriter::write_each_sum(bool is_clearing) {
    const TensorNames& output = *output_of(0);
    const std::string count = product_text(attention().result(), row_words());
    source_.line("T* const " + all_sums_ + " = " + typed_sums() + ";");
    if (!is_clearing) write_scale();
    source_.line("const int64_t " + step_ + " = int64_t(kg::block_count()) * kg::block_size();");
    source_.open("for (int64_t i = int64_t(kg::block_index()) * kg::block_size() + kg::thread_index(); i < " + count +
                 "; i += " + step_ + ") {");
    source_.line(is_clearing ? all_sums_ + "[i] = T(0);"
                             : output.pointer + "[i] = " + stored(output, all_sums_ + "[i] * " + scale_) + ";");
    source_.close("}");
}

/// The function of a class for tiles of rows, and what it is called with first.
std::string AttentionBackwardWriter::row_tiles(const std::string& function) const {
    return "kg::GradientRowTiles<DTYPE, BLOCK_M, HEAD_SIZE, num_warps>::" + function + "(" + query_sums_ + ", " +
           of(attention().rows) + ", " + product_text({attention().batch, attention().heads}, row_words()) + ", " +
           of(attention().head_size);
}

void AttentionBackwardWriter::write_begin_of_rows() {
    source_.line(row_tiles("begin") + ", " + pointer(attention().output) + ", " + pointer(attention().output_gradient) +
                 ",");
    source_.line("    [=](int64_t row) { return kg::load_one<T>(" + pointer(attention().lse) + " + row); });");
}

void AttentionBackwardWriter::write_end_of_rows() {
    write_scale();
    source_.line(row_tiles("finish") + ", " + scale_ + ", " + output_of(0)->pointer + ");");
}

void AttentionBackwardWriter::write_tensor_keys(bool in_turn) {
    const std::string rows = of(attention().rows), columns = of(attention().columns), size = of(attention().head_size),
                      heads = of(attention().heads), kv_heads = of(attention().kv_heads);
    std::string group = "1";
    write_scale();
    if (kv_head_ != head_) {
        group = names_.take("group");
        source_.line("const int " + group + " = int(" + heads + " / " + kv_heads + ");  // heads that share keys");
    }
    source_.line("using Gradients = kg::TensorGradients<DTYPE, BLOCK_M, HEAD_SIZE, num_warps, num_stages, " +
                 std::string(in_turn ? "true" : "false") + ">;");
    const auto all_heads = [&](const std::string& each) {
        return product_text({attention().batch, each}, row_words());
    };
    source_.open("Gradients::compute(" + query_sums_ + ", " + rows + ", " + all_heads(attention().heads) + ", " +
                 columns + ", " + all_heads(attention().kv_heads) + ", HEADS, [=, &" + maps_[0] + ", &" + maps_[1] +
                 ", &" + maps_[2] + ", &" + gradient_map_ + "](int " + kv_head_ + ") {");
    write_kv_columns();
    write_seen();
    const auto output = [&](int result) {
        return "kg::stored_rows(" + output_of(result)->pointer + ", " + kv_head_ + ", " + columns + ", " + size + ")";
    };
    const std::string first = group == "1" ? kv_head_ : kv_head_ + " * " + group;
    source_.line("return kg::GradientHeads{" + rows + ", " + columns_ + ", " + columns + ", " + size + ", " + first +
                 ", " + group + ", " + kv_head_ + ", &" + maps_[0] + ", &" + gradient_map_ + ", &" + maps_[1] + ", &" +
                 maps_[2] + ",");
    source_.line("                         " + seen_ + ", " + scale_ + ", " + output(1) + ", " + output(2) + "};");
    source_.close("});");
}

std::string AttentionBackwardWriter::typed_sums() const { return "reinterpret_cast<T*>(" + query_sums_ + ")"; }

std::string_view AttentionBackwardWriter::explanation_of_keys() const {
    if (style_ == Style::naive) return "// One column a program: it adds over the rows of all heads that share it.";
    return "// A tile of columns: it adds over the rows of all heads that share them.";
}

void AttentionBackwardWriter::open_kernel_of(const std::string& entry) {
    if (is_on_gpu()) {
        std::vector<std::string> all = parameters("* __restrict__ ");
        if (!query_sums_.empty())
            all.push_back(std::string(definition_.arithmetic == DType::f64 ? "double" : "float") + "* " + query_sums_);
        const bool is_of_keys = entry == keys_entry(definition_);
        std::string bounds = query_sums_.empty() || is_of_keys ? "__launch_bounds__(32 * num_warps) " : "";
        if (has_tensor_tiles_ && is_of_keys) {
            for (const std::string& map : maps_) all.push_back("const __grid_constant__ CUtensorMap " + map);
            all.push_back("const __grid_constant__ CUtensorMap " + gradient_map_);
            bounds = "__launch_bounds__(32 * (num_warps + COPY_WARPS)) ";
        }
        return open_function("extern \"C\" __global__ void " + bounds + entry, all);
    }
    std::vector<std::string> all = parameters("* ");
    for (int axis = 0; axis < 3; ++axis)
        all.push_back(axis < (is_host() ? 2 : 1) ? "int64_t pid" + std::to_string(axis) : "int64_t");
    open_function(std::string("extern \"C\" ") + (is_host() ? "[[gnu::flatten]] " : "") + "void " + entry, all);
}

/// The head of keys and values, numbered through the batch, and the columns that the batch has.
void AttentionBackwardWriter::write_kv_head(const std::string& head) {
    source_.line("const int64_t " + kv_head_ + " = " + head + ";");
    write_kv_columns();
}

void AttentionBackwardWriter::write_kv_columns() {
    if (attention().lengths < 0) return;
    const std::string columns = of(attention().columns),
                      place = pointer(attention().lengths) + "[" + kv_head_ + " / " + of(attention().kv_heads) + "]";
    source_.line("const int64_t " + columns_ + " = " + place + " < " + columns + " ? " + place + " : " + columns + ";");
}

/// For all heads that share the keys.
void AttentionBackwardWriter::open_group() {
    if (kv_head_ == head_) return source_.open("{");
    const std::string heads = of(attention().heads), kv_heads = of(attention().kv_heads);
    const std::string group = heads + " / " + kv_heads, last = names_.take("last_head");
    source_.line("// Heads of a group share keys.");
    source_.line("const int64_t " + last + " = " + kv_head_ + " / " + kv_heads + " * " + heads + " + (" + kv_head_ +
                 " % " + kv_heads + " + 1) * (" + group + ");");
    source_.open("for (int64_t " + head_ + " = " + last + " - " + group + "; " + head_ + " < " + last + "; ++" + head_ +
                 ") {");
}

void AttentionBackwardWriter::close_group() { source_.close("}"); }

/// The derivative of the soft cap.
void AttentionBackwardWriter::write_slope() {
    const std::string number = is_host() ? "auto" : "T";
    if (attention().softcap == 0)
        return source_.line("const auto " + slope_ + " = [](" + number + ") { return T(1); };");
    source_.open("const auto " + slope_ + " = [=](" + number + " " + product_ + ") {");
    source_.line("const auto x = kg::tanh(" + product_ + " * " + scale_ +
                 std::format(" / T({}));", attention().softcap));
    source_.line("return T(1) - x * x;");
    source_.close("};");
}

void AttentionBackwardWriter::write_operand(const std::string& name, int input, bool is_keys) {
    if (is_on_gpu()) {
        source_.open("const auto " + name + " = [=](int64_t i, int64_t d) {");
        source_.line("return kg::load_one<T>(" + row_start(input, is_keys, "i") + " + d);");
        return source_.close("};");
    }
    source_.open("const auto " + name + " = kg::along_depth<DTYPE>([=](int64_t i, auto d) {");
    source_.line("return kg::load(" + row_start(input, is_keys, "i") + ", d);");
    source_.close("});");
}

void AttentionBackwardWriter::write_operands_of_rows() {
    write_operand(queries_, attention().queries, false);
    write_operand(gradients_, attention().output_gradient, false);
    write_operand(results_, attention().output, false);
    source_.open("const auto " + lse_ + " = [=](int64_t i) {");
    source_.line("return kg::load_one<T>(" + pointer(attention().lse) + " + " + line_of(false, "i") + ");");
    source_.close("};");
}

void AttentionBackwardWriter::write_operands_of_columns() {
    write_operand(keys_, attention().keys, true);
    write_operand(values_, attention().values, true);
}

/// What a kernel in tiles asks of a head's rows.
void AttentionBackwardWriter::write_rows() {
    write_operands_of_rows();
    write_functions_of_rows();
    write_slope();
    source_.line("const kg::GradientRows " + rows_ + "{" + all_of_rows() + "};");
}

std::string AttentionBackwardWriter::all_of_rows() const {
    return queries_ + ", " + gradients_ + ", " + results_ + ", " + lse_ + ", " + seen_ + ", " + logit_ + ", " + slope_ +
           ", " + dropout_;
}

std::string AttentionBackwardWriter::line_of(bool is_keys, const std::string& row) const {
    return (is_keys ? kv_head_ : head_) + " * " + of(is_keys ? attention().columns : attention().rows) + " + " + row;
}

void AttentionBackwardWriter::write_output(const std::string& name, int result, bool is_keys) {
    const TensorNames& output = *output_of(result);
    const std::string line = output.pointer + " + (" + line_of(is_keys, "i") + ") * " + of(attention().head_size);
    if (is_on_gpu()) {
        source_.open("const auto " + name + " = [=](int64_t i, int64_t d, T value) {");
        source_.line("*(" + line + " + d) = " + stored(output, "value") + ";");
    } else {
        source_.open("const auto " + name + " = [=](int64_t i, auto d, auto value) {");
        source_.line("kg::store<STREAM>(" + line + ", d, value);");
    }
    source_.close("};");
}

void AttentionBackwardWriter::write_queries() {
    const std::string tile = names_.take("tile_rows"), output = names_.take("output");
    source_.line("const kg::Tile " + tile + " = kg::tile(pid0, BLOCK_M, " + of(attention().rows) + ");");
    write_heads("pid1");
    write_scale();
    write_operands_of_columns();
    write_rows();
    write_output(output, 0, false);
    source_.line("kg::query_gradients<T, REGISTER_M, BLOCK_M, BLOCK_N>(" + tile + ", " + columns_ + ", " +
                 of(attention().head_size) + ", " + scale_ + ", " + rows_ + ", " + keys_ + ", " + values_ + ", " +
                 output + ");");
    source_.line("kg::end_of_stores<STREAM>();");
}

void AttentionBackwardWriter::write_keys() {
    const std::string tile = names_.take("tile_columns"), sums = names_.take("sums"),
                      key_output = names_.take("key_output"), value_output = names_.take("value_output");
    source_.line("const kg::Tile " + tile + " = kg::tile(pid0, BLOCK_N, " + of(attention().columns) + ");");
    write_kv_head("pid1");
    write_scale();
    write_operands_of_columns();
    source_.line("const kg::KeyGradients<T, REGISTER_M, BLOCK_M, BLOCK_N> " + sums + "(" + tile + ", " +
                 of(attention().head_size) + ", " + keys_ + ", " + values_ + ");");
    open_group();
    write_rows();
    source_.line(sums + ".add(" + of(attention().rows) + ", " + columns_ + ", " + rows_ + ");");
    close_group();
    write_output(key_output, 1, true);
    write_output(value_output, 2, true);
    source_.line(sums + ".finish(" + scale_ + ", " + key_output + ", " + value_output + ");");
    source_.line("kg::end_of_stores<STREAM>();");
}

void AttentionBackwardWriter::write_each(const std::string& statement) {
    source_.line("for (int64_t d = 0; d < " + of(attention().head_size) + "; ++d) " + statement);
}

/// The row's operands and delta.
void AttentionBackwardWriter::write_naive_row() {
    const auto row = [&](const std::string& name, int input) {
        source_.line("const auto* const " + name + " = " + row_start(input, false, "i") + ";");
    };
    row(queries_, attention().queries);
    row(gradients_, attention().output_gradient);
    row(results_, attention().output);
    source_.line("T " + delta_ + " = 0;");
    write_each(delta_ + " += " + element(gradients_) + " * " + element(results_) + ";");
}

/// The weight of row i and column j, and the gradient of its logit.
void AttentionBackwardWriter::write_naive_weight() {
    source_.line("T " + product_ + " = 0, " + value_product_ + " = 0;");
    write_each(product_ + " += " + element(queries_) + " * " + element(keys_) + ";");
    write_each(value_product_ + " += " + element(gradients_) + " * " + element(values_) + ";");
    source_.line("const T x = " + logit_ + "(i, j, " + product_ + ");");
    source_.line("if (x == -kg::infinity<T>) continue;");
    source_.line("const T " + weight_ + " = kg::exp(x - kg::load_one<T>(" + pointer(attention().lse) + " + " +
                 line_of(false, "i") + "));");
    source_.line("const T " + gradient_ + " = " + weight_ + " * (" +
                 (attention().dropout > 0 ? dropout_ + ".keep(i, j, " + value_product_ + ")" : value_product_) + " - " +
                 delta_ + ") * " + slope_ + "(" + product_ + ");");
}

void AttentionBackwardWriter::write_naive_queries() {
    const std::string first = names_.take("first"), last = names_.take("last"), sums = names_.take("query_sums"),
                      size = of(attention().head_size), rows = of(attention().rows);
    write_heads("pid0 / " + rows);
    source_.line("const int64_t i = pid0 % " + rows + ";");
    write_scale();
    write_logit();
    write_slope();
    write_dropout();
    write_naive_row();
    source_.line("T* const " + sums + " = kg::row_buffer<T, 0>(" + size + ").data;");
    write_each(sums + "[d] = 0;");
    source_.line("const int64_t " + first + " = " + first_seen() + ", " + last + " = " + last_seen() + ";");
    source_.open("for (int64_t j = " + first + " < 0 ? 0 : " + first + "; j < " + last + " && j < " + columns_ +
                 "; ++j) {");
    source_.line("const auto* const " + keys_ + " = " + row_start(attention().keys, true, "j") + ";");
    source_.line("const auto* const " + values_ + " = " + row_start(attention().values, true, "j") + ";");
    write_naive_weight();
    write_each(sums + "[d] += " + gradient_ + " * " + element(keys_) + ";");
    source_.close("}");
    const TensorNames& output = *output_of(0);
    write_each(output.pointer + "[pid0 * " + size + " + d] = " + stored(output, sums + "[d] * " + scale_) + ";");
}

void AttentionBackwardWriter::write_naive_keys() {
    const std::string size = of(attention().head_size), columns = of(attention().columns),
                      sums = names_.take("key_sums"), value_sums = names_.take("value_sums");
    write_kv_head("pid0 / " + columns);
    source_.line("const int64_t j = pid0 % " + columns + ";");
    write_scale();
    source_.line("const auto* const " + keys_ + " = " + row_start(attention().keys, true, "j") + ";");
    source_.line("const auto* const " + values_ + " = " + row_start(attention().values, true, "j") + ";");
    source_.line("T* const " + sums + " = kg::row_buffer<T, 0>(" + size + ").data;");
    source_.line("T* const " + value_sums + " = kg::row_buffer<T, 1>(" + size + ").data;");
    write_each(sums + "[d] = " + value_sums + "[d] = 0;");
    open_group();
    write_logit();
    write_slope();
    write_dropout();
    source_.open("for (int64_t i = 0; i < " + of(attention().rows) + "; ++i) {");
    const std::string before = attention().window_left < 0 ? "" : "j < " + first_seen() + " || ",
                      beyond = attention().last_seen() ? "j >= " + last_seen() + " || " : "";
    source_.line("if (" + before + beyond + "j >= " + columns_ + ") continue;");
    write_naive_row();
    write_naive_weight();
    write_each(sums + "[d] += " + gradient_ + " * " + element(queries_) + ";");
    write_each(value_sums +
               "[d] += " + (attention().dropout > 0 ? dropout_ + ".keep(i, j, " + weight_ + ")" : weight_) + " * " +
               element(gradients_) + ";");
    source_.close("}");
    close_group();
    const TensorNames &keys = *output_of(1), &values = *output_of(2);
    write_each(keys.pointer + "[pid0 * " + size + " + d] = " + stored(keys, sums + "[d] * " + scale_) + ";");
    write_each(values.pointer + "[pid0 * " + size + " + d] = " + stored(values, value_sums + "[d]") + ";");
}

void AttentionBackwardWriter::write_cuda_queries() {
    const std::string blocks = names_.take("blocks"), block = names_.take("block"), first = names_.take("first"),
                      output = names_.take("output"), rows = of(attention().rows);
    source_.line("const int64_t " + blocks + " = (" + rows + " + BLOCK_M - 1) / BLOCK_M, " + block +
                 " = kg::block_index();");
    write_heads(block + " / " + blocks);
    source_.line("const int64_t " + first + " = " +
                 (attention().last_seen()
                      ? "(" + blocks + " - 1 - " + block + " % " + blocks + ") * BLOCK_M;  // rows that see most begin"
                      : block + " % " + blocks + " * BLOCK_M;"));
    write_scale();
    write_operands_of_columns();
    write_rows();
    write_output(output, 0, false);
    source_.line("kg::AttentionGradients<T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps>::of_queries(");
    source_.line("    {" + first + ", " + rows + "}, " + columns_ + ", " + of(attention().head_size) + ", " + scale_ +
                 ", " + rows_ + ", " + keys_ + ", " + values_ + ", " + output + ");");
}

void AttentionBackwardWriter::write_cuda_keys() {
    const std::string blocks = names_.take("column_blocks"), block = names_.take("column_block"),
                      tile = names_.take("columns_of_block"), sums = names_.take("sums"),
                      key_output = names_.take("key_output"), value_output = names_.take("value_output"),
                      columns = of(attention().columns);
    source_.line("const int64_t " + blocks + " = (" + columns + " + BLOCK_N - 1) / BLOCK_N, " + block +
                 " = kg::block_index();");
    write_kv_head(block + " / " + blocks);
    write_scale();
    write_operands_of_columns();
    source_.line("kg::AttentionGradients<T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps>::OfKeys " + sums + "({" + block +
                 " % " + blocks + " * BLOCK_N, " + columns + "}, " + of(attention().head_size) + ");");
    open_group();
    write_rows();
    const std::string rows = of(attention().rows), size = of(attention().head_size);
    const std::string query_sums =
        !adds_atomically_ ? ""
                          : ", kg::QuerySums<T>{" + typed_sums() + " + " + head_ + " * " + rows + " * " + size + "}";
    source_.line(sums + ".add(" + rows + ", " + columns_ + ", " + rows_ + ", " + keys_ + ", " + values_ + query_sums +
                 ");");
    close_group();
    write_output(key_output, 1, true);
    write_output(value_output, 2, true);
    source_.line(sums + ".finish(" + scale_ + ", " + key_output + ", " + value_output + ");");
}

}  // namespace kernelgen
