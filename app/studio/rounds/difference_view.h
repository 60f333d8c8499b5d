// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QTextBrowser>
#include <QWidget>

#include "app/studio/rounds/rounds_model.h"
#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// What differs between the selected round and another, which is its parent until another is chosen.
class DifferenceView : public QWidget {
    Q_OBJECT

public:
    DifferenceView(Session& session, RoundsModel& model, QWidget* parent = nullptr);

    void compareWith(int base);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void takeParent();
    void refresh();
    void show(const QString& html);

    Session& session_;
    RoundsModel& model_;
    QComboBox* base_;
    QTextBrowser* page_;
    int asked_ = 0;  ///< pages so far: an older one that comes late is dropped
};

}  // namespace kernelgen::studio
