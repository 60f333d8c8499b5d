// SPDX-License-Identifier: Apache-2.0
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

Text text_of(Aspect aspect) {
    switch (aspect) {
        case Aspect::function_name: return Text::aspect_function_name;
        case Aspect::parameter_count: return Text::aspect_parameter_count;
        case Aspect::parameter_names: return Text::aspect_parameter_names;
        case Aspect::parameter_order: return Text::aspect_parameter_order;
        case Aspect::parameter_types: return Text::aspect_parameter_types;
        case Aspect::return_type: return Text::aspect_return_type;
        case Aspect::input_checks: return Text::aspect_input_checks;
        case Aspect::kernel_arguments: return Text::aspect_kernel_arguments;
        case Aspect::tunables: return Text::aspect_tunables;
        case Aspect::tolerances: return Text::aspect_tolerances;
        case Aspect::cases: return Text::aspect_cases;
    }
    return Text::aspect_cases;
}

std::string cell_phrase(const ChecklistCell& cell, const Phrases& say) {
    const std::string text = cell.text.empty() ? "-" : as_prose(say.of_engine(cell.text));
    switch (cell.state) {
        case ChecklistCell::State::agrees: return "✓ " + text;
        case ChecklistCell::State::differs: return "✗ " + text;
        case ChecklistCell::State::none: break;
    }
    return text;
}

MarkdownTable checklist_table(const Consistency& consistency, const Phrases& say) {
    MarkdownTable table{{say(Text::column_aspect), say(Text::column_definition)}, {}};
    for (std::size_t i = 1; i < file_role_count; ++i) {
        if (!consistency.files[i].empty()) table.header.push_back(in_code(consistency.files[i]));
    }
    for (const ChecklistRow& row : consistency.rows) {
        std::vector<std::string>& cells = table.rows.emplace_back(1, say(text_of(row.aspect)));
        for (std::size_t i = 0; i < file_role_count; ++i) {
            if (i == 0 || !consistency.files[i].empty()) cells.push_back(cell_phrase(row.cells[i], say));
        }
    }
    return table;
}

}  // namespace

std::string consistency_section(const Consistency& consistency, const Phrases& say) {
    if (consistency.rows.empty()) return {};
    std::string text = heading(2, say(Text::checklist)) + to_markdown(checklist_table(consistency, say));
    if (consistency.consistent()) return text + paragraph(say(Text::files_consistent));
    for (const Diagnostic& each : consistency.mismatches) {
        const Diagnostic in_words{each.file, say.of_engine(each.where), say.of_engine(each.message),
                                  say.of_engine(each.suggestion)};
        text += bullet(as_prose(to_string(in_words).text()));
    }
    for (const StaleFile& each : consistency.stale) {
        if (!each.edited) text += bullet(say(Text::file_stale, in_code(each.file), say(each.change)));
    }
    return text + "\n";
}

}  // namespace kernelgen
