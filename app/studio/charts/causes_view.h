// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

#include "core/explain/explanation.h"

namespace kernelgen::studio {

/// The likely causes of a wrong result, each with what was seen, what to do, and links to the source's lines.
class CausesView : public QTextBrowser {
    Q_OBJECT

public:
    explicit CausesView(QWidget* parent = nullptr);

    void present(const Explanation& explanation);
    void clearCauses();

signals:
    void goToSource(const QString& file, int line, int column);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void follow(const QUrl& link);

    Explanation explanation_;
    bool is_shown_ = false;
};

}  // namespace kernelgen::studio
