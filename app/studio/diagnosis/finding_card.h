// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

#include "app/studio/diagnosis/card_content.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace kernelgen::studio {

class Section;

/// One finding: its numbers, why, how sure it is, and what can be done about it.
class FindingCard : public QFrame {
    Q_OBJECT

public:
    explicit FindingCard(const CardContent& content, QWidget* parent = nullptr);

    const std::string& rule() const { return rule_; }
    bool isOpen() const;  ///< whether it tells why
    void setOpen(bool open);

    /// Tells of each proposal why it cannot be applied now; "" where it can.
    void explain(const std::function<QString(std::size_t proposal)>& obstacle);

signals:
    void applyWanted(std::size_t proposal);
    void goToSource(const QString& file, int line, int column);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Button {
        QPushButton* button;
        std::size_t proposal;
    };
    QLabel* addText(QBoxLayout* layout, const QString& text, int stretch = 0);
    QLabel* addMuted(QBoxLayout* layout, const QString& text, int stretch = 0);
    void addHead(QBoxLayout* layout, const CardContent& content);
    void addPlaces(QBoxLayout* layout, const std::vector<SourcePlace>& places);
    void addStrategy(QBoxLayout* layout, const CardStrategy& strategy);
    void addWhy(QBoxLayout* layout, const CardContent& content);
    void applyPalette();

    std::string rule_;
    QLabel* gain_ = nullptr;
    std::vector<QLabel*> muted_;
    std::vector<Button> buttons_;
    Section* why_ = nullptr;
};

}  // namespace kernelgen::studio
