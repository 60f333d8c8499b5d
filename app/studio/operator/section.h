// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace kernelgen::studio {

/// A part of a form that can be folded away; its caption is red while something within it is wrong.
class Section : public QWidget {
    Q_OBJECT

public:
    /// `corner` stands at the caption's right while the section is open; may be null.
    Section(const QString& title, QWidget* content, QWidget* corner = nullptr, QWidget* parent = nullptr);

    bool isOpen() const;
    void setOpen(bool open);
    void setWrong(bool wrong);

protected:
    void changeEvent(QEvent* event) override;

private:
    void show(bool open);
    void applyPalette();

    QToolButton* caption_;
    QWidget* content_;
    QWidget* corner_;
    bool wrong_ = false;
};

}  // namespace kernelgen::studio
