// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

#include "app/studio/session/session.h"
#include "core/report/report.h"

namespace kernelgen::studio {

/// The present optimization_log.md, rendered; of many rounds only the newest. It is made in another thread while it is
/// visible.
class LogPreview : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t newest_rounds = 12;

    explicit LogPreview(Session& session, QWidget* parent = nullptr);

    Tongue tongue() const;

signals:
    void exportWanted(kernelgen::Tongue tongue);
    void rendered();  ///< what is shown is up to date

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeBar();
    void follow();
    void outdate();
    void render();
    void take(std::shared_ptr<QTextDocument> document);

    Session& session_;
    QTextBrowser* page_;
    QComboBox* language_;
    QLabel* note_;
    QPushButton* export_;
    QTimer soon_;  ///< changes in sequence are rendered once
    bool outdated_ = true;
    int asked_ = 0;  ///< documents so far: an older one that comes late is dropped
    std::shared_ptr<QTextDocument> shown_;
};

}  // namespace kernelgen::studio
