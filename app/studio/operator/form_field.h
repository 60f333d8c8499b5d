// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <string>
#include <vector>

#include "app/studio/document/project_document.h"

namespace kernelgen::studio {

/// An editor of a part of the project. Its border is red where something is wrong; `messages` says what. They stand
/// elsewhere (`MessageLines`), so that no field moves while somebody types.
class FormField : public QWidget {
    Q_OBJECT

public:
    /// `paths` are those of its diagnostics ("operator.inputs" also owns "operator.inputs[1].shape").
    FormField(std::vector<std::string> paths, QWidget* parent = nullptr);

    bool owns(const std::string& where) const;
    bool hasProblem() const { return !messages().isEmpty(); }
    QStringList messages() const;      ///< why the last entry was refused, then the errors
    virtual QString name() const = 0;  ///< as the form shows it
    virtual void setDiagnostics(const Diagnostics& own);
    /// Gives the focus to the place of a diagnostic that it owns.
    virtual void goTo(const std::string& where);
    /// Shows the present project, without moving a cursor in this field.
    virtual void refresh() = 0;

signals:
    void problemChanged();

protected:
    void setEditor(QWidget* editor);
    /// Why the last entry was refused; "" where it was accepted.
    void setEntryProblem(const QString& problem);
    void paintEvent(QPaintEvent* event) override;

private:
    void tellMessages();

    std::vector<std::string> paths_;
    QWidget* editor_ = nullptr;
    Diagnostics diagnostics_;
    QString entry_problem_;
};

}  // namespace kernelgen::studio
