// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/import_page.h"

#include <QCoreApplication>
#include <QStringList>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/consistency/consistency_model.h"
#include "app/studio/rounds/html_page.h"
#include "app/studio/theme/theme.h"
#include "core/project/attribute_value.h"

namespace kernelgen::studio {

namespace {

struct ImportPage {
    Q_DECLARE_TR_FUNCTIONS(ImportPage)
};

QString joined(const std::vector<std::string>& parts, const QString& separator) {
    QStringList list;
    for (const std::string& each : parts) list << toQt(each);
    return list.join(separator);
}

QString tensorText(const Tensor& tensor) {
    return QStringLiteral("%1 [%2]").arg(toQt(tensor.name), joined(tensor.shape, QStringLiteral(", ")));
}

QString tensorsText(const std::vector<Tensor>& tensors) {
    QStringList list;
    for (const Tensor& each : tensors) list << tensorText(each);
    return list.join(", ");
}

void writeSides(HtmlPage& page, const Project& project) {
    QList<QStringList> rows;
    for (const Variant& each : project.variants) {
        const QString entry = toQt(each.entry);
        rows << QStringList{toQt(each.name), each.compile ? ImportPage::tr("%1, by torch.compile").arg(entry) : entry,
                            toQt(each.source)};
    }
    page.table({ImportPage::tr("Variant"), ImportPage::tr("Function or class"), ImportPage::tr("File")}, rows, 3);
}

void writeFiles(HtmlPage& page, const ImportedSet& set) {
    if (has_file(set.project.definition.family)) return writeSides(page, set.project);
    QList<QStringList> rows;
    for (std::size_t i = 1; i < file_role_count; ++i) {
        const QString file = toQt(set.files[i]);
        rows << QStringList{nameOf(static_cast<FileRole>(i)), file.isEmpty() ? ImportPage::tr("not found") : file};
    }
    page.table({ImportPage::tr("Role"), ImportPage::tr("File")}, rows, 2);
}

void writeOperator(HtmlPage& page, const Operator& definition) {
    page.heading(ImportPage::tr("Operator"));
    page.field(ImportPage::tr("Name"), toQt(definition.name));
    if (has_file(definition.family)) return page.field(ImportPage::tr("Defined by"), toQt(definition.file));
    page.field(ImportPage::tr("Inputs"), tensorsText(definition.inputs));
    page.field(ImportPage::tr("Outputs"), tensorsText(definition.outputs));
    QStringList attributes;
    for (const Attribute& each : definition.attributes) {
        attributes << QStringLiteral("%1 = %2").arg(toQt(each.name), toQt(attribute_text(each)));
    }
    page.field(ImportPage::tr("Attributes"), attributes.join(", "));
    page.field(ImportPage::tr("Body"), toQt(definition.body));
    page.field(ImportPage::tr("Reference"), toQt(definition.reference));
}

void writeTunables(HtmlPage& page, const Project& project) {
    QList<QStringList> rows;
    for (const Variant& variant : project.variants) {
        for (const Tunable& each : variant.tunables) {
            QStringList values;
            for (const std::int64_t value : each.values) values << QString::number(value);
            rows << QStringList{toQt(each.name), values.join(", "), QString::number(each.value)};
        }
    }
    if (rows.isEmpty()) return;
    page.heading(ImportPage::tr("Tunables"));
    page.table({ImportPage::tr("Name"), ImportPage::tr("Values"), ImportPage::tr("In the file")}, rows, 2);
}

void writeCases(HtmlPage& page, const Project& project) {
    page.heading(ImportPage::tr("Cases"));
    if (project.cases.empty()) page.muted(ImportPage::tr("None was found: the definition gets them later."));
    for (const Case& each : project.cases) {
        QStringList told{toQt(to_string(each.dtype))};
        for (const auto& [symbol, size] : each.sizes) told << QStringLiteral("%1 = %2").arg(toQt(symbol)).arg(size);
        page.bullet(QStringLiteral("%1: %2").arg(toQt(each.name), told.join(", ")));
    }
}

void writeRemarks(HtmlPage& page, const QString& heading, const Diagnostics& remarks) {
    if (remarks.empty()) return;
    page.heading(heading);
    for (const Diagnostic& each : remarks) {
        Diagnostic in_words = each;
        in_words.message = inWords(each.message).toStdString();
        in_words.suggestion = inWords(each.suggestion).toStdString();
        page.bullet(toQt(to_string(in_words)));
    }
}

}  // namespace

QString importPage(const ImportedSet& set, const QPalette& palette) {
    HtmlPage page(palette);
    const bool clear = set.notes.empty();
    page.title(clear ? ImportPage::tr("Everything in these files was understood")
                     : ImportPage::tr("Understood, but for what stands below"),
               clear ? coloursOf(palette).good : coloursOf(palette).warning);
    writeRemarks(page, ImportPage::tr("Not understood, or assumed"), set.notes);
    page.heading(ImportPage::tr("Files"));
    writeFiles(page, set);
    writeOperator(page, set.project.definition);
    writeTunables(page, set.project);
    writeCases(page, set.project);
    writeRemarks(page, ImportPage::tr("Rewritten in the project's copy"), set.edits);
    return page.take();
}

QString importFolderPage(const std::vector<ImportedFile>& files, const QPalette& palette) {
    HtmlPage page(palette);
    Diagnostics left_out, notes;
    QStringList made;
    for (const ImportedFile& each : files) {
        if (each.set) made << toQt(each.file.filename().string());
        const Diagnostics& told = each.set ? each.set->notes : each.set.error();
        Diagnostics& all = each.set ? notes : left_out;
        all.insert(all.end(), told.begin(), told.end());
    }
    page.title(ImportPage::tr("A folder of problems: %n project(s)", nullptr, static_cast<int>(made.size())),
               left_out.empty() ? coloursOf(palette).good : coloursOf(palette).warning);
    page.paragraph(
        ImportPage::tr("Each file becomes a project, in a folder of its name. The first is opened; the others are "
                       "beside it. kernelgen run --each FOLDER runs them all, and tells how many are right and "
                       "how many faster."));
    for (const QString& each : made) page.bullet(each);
    writeRemarks(page, ImportPage::tr("Left out"), left_out);
    writeRemarks(page, ImportPage::tr("Not understood, or assumed"), notes);
    return page.take();
}

QString importProblemPage(const Diagnostics& problems, const QPalette& palette, const QString& advice) {
    HtmlPage page(palette);
    page.title(ImportPage::tr("This cannot be imported yet"), coloursOf(palette).bad);
    writeRemarks(page, ImportPage::tr("Why"), problems);
    if (!advice.isEmpty()) page.paragraph(advice);
    return page.take();
}

}  // namespace kernelgen::studio
