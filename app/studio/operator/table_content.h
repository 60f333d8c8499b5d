// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/project/project.h"

namespace kernelgen::studio {

/// One text of a table; where it is empty, the placeholder says what holds instead.
struct Cell {
    QString text;
    QString placeholder = {};

    bool operator==(const Cell&) const = default;
};
using CellRow = std::vector<Cell>;

struct CellPlace {
    int row = 0, column = 0;

    auto operator<=>(const CellPlace&) const = default;
};

/// A part of a project as rows of text.
class TableContent {
    Q_DECLARE_TR_FUNCTIONS(TableContent)

public:
    virtual ~TableContent() = default;

    virtual QString title() const = 0;     ///< "Inputs"
    virtual std::string path() const = 0;  ///< of its diagnostics: "operator.inputs"
    virtual QStringList headers(const Project& project) const = 0;
    virtual std::vector<CellRow> rows(const Project& project) const = 0;
    /// The texts that a column allows; empty: any.
    virtual QStringList choices(int) const { return {}; }
    /// Whether a cell can be edited.
    virtual bool isEditable(int) const { return true; }
    /// Changes one cell, or says why the text cannot stand there.
    virtual QString write(Project& project, CellPlace place, const QString& text) const = 0;
    /// The cell of a diagnostic's path.
    virtual std::optional<CellPlace> placeOf(const Project& project, const std::string& where) const = 0;

    virtual bool hasFixedRows() const { return false; }
    virtual void insert(Project&, int) const {}
    virtual void erase(Project&, int) const {}
    virtual void exchange(Project&, int, int) const {}
};

std::unique_ptr<TableContent> symbolContent();
std::unique_ptr<TableContent> inputContent();
std::unique_ptr<TableContent> outputContent();
std::unique_ptr<TableContent> attributeContent();
std::unique_ptr<TableContent> constraintContent();
std::unique_ptr<TableContent> caseContent();
std::unique_ptr<TableContent> toleranceContent();

/// The shortest text that reads back as this number, in the C locale.
QString numberText(double value);
/// The number of a text in the C locale; nothing where it is not one finite number.
std::optional<double> numberOf(const QString& text);

}  // namespace kernelgen::studio
