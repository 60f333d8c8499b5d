// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/studio/session/session.h"

class QScrollArea;

namespace kernelgen::studio {

class AnalysisView;
class Banner;
class DefinitionForm;

/// The operator's definition in a form, with what is wrong and what follows beside it.
class OperatorPanel : public QWidget {
    Q_OBJECT

public:
    explicit OperatorPanel(Session& session, QWidget* parent = nullptr);

    /// Shows the field of a diagnostic's path ("operator.inputs[1].shape", "body:1:17") and gives it the focus.
    void goTo(const QString& where);
    /// Offers what could mend the definition; whether there is something.
    bool offerFixes();

private:
    void checkSources();
    void generate();
    void reveal(QWidget* field);

    Session& session_;
    Banner* stale_;
    QScrollArea* scroll_;
    DefinitionForm* form_;
    AnalysisView* analysis_;
    QTimer settle_;  ///< whether sources are stale is asked once typing pauses
};

}  // namespace kernelgen::studio
