// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/studio/document/project_document.h"
#include "app/studio/operator/table_content.h"

class QFormLayout;

namespace kernelgen::studio {

class FormField;
class Section;
class TextField;

/// The fields of a project's definition in sections. What is wrong in one is marked there, and said by `messages`.
class DefinitionForm : public QWidget {
    Q_OBJECT

public:
    enum class Extent {
        whole,      ///< every field
        beginning,  ///< what a new project begins with: the operator's interface, its body and its cases
    };
    DefinitionForm(ProjectDocument& document, Extent extent, QWidget* parent = nullptr);

    /// Opens the section of a diagnostic's field and gives the field the focus; whether there is one.
    bool goTo(const std::string& where);
    /// What is wrong in the field that has the focus, or else in the first, which is then named.
    QStringList messages() const;

signals:
    void messagesChanged();
    void revealed(QWidget* field);

private:
    struct Entry {
        FormField* field;
        Section* section;
    };
    void makeWhole();
    void makeBeginning();
    void makeOperator();
    void makeBody();
    void makePerformance();
    Section* addSection(const QString& title, QWidget* content, QWidget* corner = nullptr);
    Section* addTable(std::unique_ptr<TableContent> content);
    TextField* addRow(QFormLayout* form, TextField* field);
    void ownRows(std::size_t first, Section* section);
    void openUsual();
    void showByFamily();
    bool mayAccumulate() const;
    void refresh();
    void distribute();
    void markSections();

    ProjectDocument& document_;
    std::vector<Entry> entries_;
    Section* attributes_ = nullptr;
    QFormLayout* operator_rows_ = nullptr;
    QWidget* reference_ = nullptr;
    QWidget *arithmetic_ = nullptr, *accumulation_ = nullptr, *definition_ = nullptr;
    std::vector<Section*> not_of_files_;  ///< what an operator does not have whose definition is a Python file
};

}  // namespace kernelgen::studio
