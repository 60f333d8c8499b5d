// SPDX-License-Identifier: Apache-2.0
#include "core/generate/row_index.h"
#include "core/generate/triton_writer.h"

namespace kernelgen {

/// Some programs have the gradients of queries, others those of keys and values: no two of them add to one element.
void TritonWriter::write_attention_backward() {
    source_.line(local("head_columns") + " = tl.arange(0, HEAD_SIZE)[None, :]");
    source_.open("if OF_KEYS:");
    write_key_gradients();
    source_.end();
    source_.open("else:");
    write_query_gradients();
    source_.end();
}

/// Elements of the rows of a head.
std::string TritonWriter::row_tile(int input) {
    return "tl.load(" + input_pointers_[static_cast<std::size_t>(input)] + " + (" + local("head") + " * " +
           use(dimension(body_.attention->rows)) + " + rows) * " + use(dimension(body_.attention->head_size)) + " + " +
           local("head_columns") + ", mask=mask, other=0.0)";
}

std::string TritonWriter::columns_of_batch(const std::string& head, const std::string& heads) {
    return "min(tl.load(" + input_pointers_[static_cast<std::size_t>(body_.attention->lengths)] + " + " + head +
           " // " + use(dimension(heads)) + "), " + use(dimension(body_.attention->columns)) + ")";
}

/// What the tile's rows give: queries, the result's gradient, the log-sum-exp and delta.
void TritonWriter::write_gradient_rows(const std::string& first) {
    const Attention& of = *body_.attention;
    const std::string rows = use(dimension(of.rows)), size = use(dimension(of.head_size));
    source_.line("rows = " + first + " + tl.arange(0, BLOCK_M)[:, None]");
    source_.line("row_mask = rows < " + rows);
    source_.line("mask = row_mask & (" + local("head_columns") + " < " + size + ")");
    source_.line(local("queries") + " = " + row_tile(of.queries));
    source_.line(local("output_gradients") + " = " + row_tile(of.output_gradient));
    source_.line(local("log_sum") + " = tl.load(" + input_pointers_[static_cast<std::size_t>(of.lse)] + " + " +
                 local("head") + " * " + rows + " + rows, mask=row_mask, other=0.0).to(T)");
    source_.line(local("delta") + " = tl.sum(" + row_tile(of.output) + ".to(T) * " + local("output_gradients") +
                 ".to(T), axis=1, keep_dims=True)");
}

/// Adds lines by weights: those of the columns, or those of the rows.
void TritonWriter::write_sum(const std::string& sums, const std::string& weights, const std::string& lines,
                             bool over_rows) {
    const auto turned = [&](const std::string& text) { return over_rows ? "tl.trans(" + text + ")" : text; };
    source_.open("if T == tl.float64:");
    const std::string product = weights + " * " + lines + ".to(T)";
    source_.line(sums + " += " + (over_rows ? "tl.sum(" + product + ", axis=0, keep_dims=True)" : product));
    source_.end();
    source_.open("elif ON_CPU:");
    source_.line(sums + " = tl.dot(" + turned(weights) + ", " + lines + ".to(T), " + sums + ", out_dtype=T)");
    source_.end();
    source_.open("else:");
    source_.line(sums + " = tl.dot(" + turned(weights + ".to(" + lines + ".dtype)") + ", " + lines + ", " + sums +
                 ", input_precision=\"ieee\", out_dtype=T)");
    source_.end();
}

/// The weights of a tile, and the gradients of its logits.
void TritonWriter::write_gradient_weights() {
    const Attention& of = *body_.attention;
    const std::string scores = local("scores"), weights = local("weights"), gradients = local("gradients"),
                      hidden = scores + " == float(\"-inf\")";
    write_logits();
    source_.line(weights + " = tl.where(" + hidden + ", 0.0, tl.exp(" + scores + " - " + local("log_sum") + "))");
    write_product_of(gradients, local("output_gradients"), local("values"));
    if (of.dropout > 0) {
        source_.line(local("kept") + " = tl.full((BLOCK_M, BLOCK_N), 1.0, T)");
        write_dropout(local("kept"));
        source_.line(gradients + " = " + gradients + " * " + local("kept"));
    }
    source_.line(gradients + " = tl.where(" + hidden + ", 0.0, " + weights + " * (" + gradients + " - " +
                 local("delta") + ")" +
                 (of.softcap > 0 ? " * (1.0 - " + local("share") + " * " + local("share") + ")" : "") + ")");
    if (of.dropout > 0) source_.line(weights + " = " + weights + " * " + local("kept"));
}

void TritonWriter::write_query_gradients() {
    const Attention& of = *body_.attention;
    const std::string rows = use(dimension(of.rows)), columns = use(dimension(of.columns)), head = local("head"),
                      tiles = local("row_tiles"), tile = local("row_block"), sums = local("sums"),
                      distance = columns + " - " + rows;
    source_.line(tiles + " = tl.cdiv(" + rows + ", BLOCK_M)");
    source_.line(head + " = (tl.program_id(0) // " + tiles + ").to(tl.int64)");
    source_.line(tile + " = " + (of.last_seen() ? tiles + " - 1 - " : "") + "tl.program_id(0) % " + tiles +
                 (of.last_seen() ? "  # rows that see most begin" : ""));
    if (of.heads != of.kv_heads) {
        const std::string heads = use(dimension(of.heads)), kv_heads = use(dimension(of.kv_heads));
        source_.line(local("kv_head") + " = " + head + " // " + heads + " * " + kv_heads + " + " + head + " % " +
                     heads + " // (" + heads + " // " + kv_heads + ")  # heads of a group share keys");
    }
    if (of.lengths >= 0) source_.line(local("count") + " = " + columns_of_batch(head, of.heads));
    write_gradient_rows(tile + " * BLOCK_M");
    source_.line(sums + " = tl.zeros((BLOCK_M, HEAD_SIZE), T)");
    const auto last = of.last_seen();
    const std::string first =
        of.window_left < 0 ? "0" : "max(" + moved(tile + " * BLOCK_M + " + distance, -of.window_left) + ", 0)";
    const std::string end =
        !last ? column_count()
              : "min(" + moved("(" + tile + " + 1) * BLOCK_M + " + distance, *last) + ", " + column_count() + ")";
    source_.open("for start in range(" + first + ", " + end + ", BLOCK_N):");
    source_.line("columns = start + tl.arange(0, BLOCK_N)[None, :]");
    source_.line("column_mask = columns < " + column_count());
    source_.line(local("keys") + " = " + key_tile(of.keys));
    source_.line(local("values") + " = " + key_tile(of.values));
    write_gradient_weights();
    write_sum(sums, local("gradients"), local("keys"), false);
    source_.end();
    const std::string scale = of.scale ? python_number(*of.scale) : "SCALE";
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
        if (at(body_.outputs[i]).index != static_cast<int>(definition_.inputs.size())) continue;
        source_.line("tl.store(" + output_pointers_[i] + " + (" + head + " * " + rows + " + rows) * " +
                     use(dimension(of.head_size)) + " + " + local("head_columns") + ", " + sums + " * " + scale +
                     ", mask=mask)");
    }
}

void TritonWriter::write_key_gradients() {
    const Attention& of = *body_.attention;
    const bool has_groups = of.heads != of.kv_heads;
    const std::string rows = use(dimension(of.rows)), columns = use(dimension(of.columns)),
                      size = use(dimension(of.head_size)), elements = local("head_columns"),
                      kv_head = has_groups ? local("kv_head") : local("head"), tiles = local("column_tiles"),
                      first = local("first_column"), keys = local("key_sums"), values = local("value_sums");
    source_.line(tiles + " = tl.cdiv(" + columns + ", BLOCK_N)");
    source_.line(kv_head + " = (tl.program_id(0) // " + tiles + ").to(tl.int64)");
    source_.line(first + " = tl.program_id(0) % " + tiles + " * BLOCK_N");
    if (of.lengths >= 0) source_.line(local("count") + " = " + columns_of_batch(kv_head, of.kv_heads));
    source_.line("columns = " + first + " + tl.arange(0, BLOCK_N)[None, :]");
    source_.line("column_mask = columns < " + column_count());
    source_.line(local("keys") + " = " + key_tile(of.keys));
    source_.line(local("values") + " = " + key_tile(of.values));
    source_.line(keys + " = tl.zeros((BLOCK_N, HEAD_SIZE), T)");
    source_.line(values + " = tl.zeros((BLOCK_N, HEAD_SIZE), T)");
    if (has_groups) {
        const std::string heads = use(dimension(of.heads)), kv_heads = use(dimension(of.kv_heads)),
                          group = heads + " // " + kv_heads, member = local("member");
        source_.open("for " + member + " in range(0, " + group + "):  # heads of a group share keys");
        source_.line(local("head") + " = " + kv_head + " // " + kv_heads + " * " + heads + " + " + kv_head + " % " +
                     kv_heads + " * (" + group + ") + " + member);
    }
    const std::string distance = first + " + " + rows + " - " + columns;
    const auto last = of.last_seen();
    const std::string begin = last ? "max(" + moved(distance, -*last) + ", 0)" : "0";
    const std::string end =
        of.window_left < 0 ? rows : "min(" + moved(distance, of.window_left) + " + BLOCK_N, " + rows + ")";
    source_.open("for start in range(" + begin + ", " + end + ", BLOCK_M):");
    write_gradient_rows("start");
    write_gradient_weights();
    write_sum(values, local("weights"), local("output_gradients"), true);
    write_sum(keys, local("gradients"), local("queries"), true);
    source_.end();
    if (has_groups) source_.end();
    const std::string scale = of.scale ? python_number(*of.scale) : "SCALE";
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
        const int result = at(body_.outputs[i]).index - static_cast<int>(definition_.inputs.size());
        if (result == 0) continue;
        source_.line("tl.store(" + output_pointers_[i] + " + (" + kv_head + " * " + columns +
                     " + tl.trans(columns)) * " + size + " + " + elements + ", " +
                     (result == 1 ? keys + " * " + scale : values) + ", mask=(tl.trans(columns) < " + columns +
                     ") & (" + elements + " < " + size + "))");
    }
}

}  // namespace kernelgen
