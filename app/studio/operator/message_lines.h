// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace kernelgen::studio {

class DefinitionForm;

/// Two lines below a form that say what is wrong in it: in the field that has the focus, or else in the first. The
/// lines are there without an error too, so that nothing moves as one comes; the rest is in the tool tip.
class MessageLines : public QWidget {
    Q_OBJECT

public:
    explicit MessageLines(DefinitionForm& form, QWidget* parent = nullptr);

    QStringList messages() const { return messages_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(const DefinitionForm& form);

    QStringList messages_;
};

}  // namespace kernelgen::studio
