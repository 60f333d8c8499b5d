// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "core/scaling/assistant.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;

namespace kernelgen::studio {

/// The files, and by which rules their scales are chosen.
class ScalingSetup : public QWidget {
    Q_OBJECT

public:
    explicit ScalingSetup(QWidget* parent = nullptr);

    void setFiles(const QStringList& files);
    const QStringList& files() const { return files_; }
    ScalingRequest request() const;

signals:
    void changed();

private:
    QWidget* makeFiles();
    QWidget* makeRules();
    QDoubleSpinBox* addShare(QBoxLayout& line, const QString& text, const QString& name, const QString& tip);
    QSpinBox* addAxis(QBoxLayout& line, const QString& text, const QString& name, const QString& tip);
    void chooseFiles();

    QStringList files_;
    QLineEdit *shown_, *groups_;
    QComboBox* format_;
    QCheckBox* steps_;  ///< the files are steps of one tensor
    QSpinBox *axis_, *group_axis_;
    QDoubleSpinBox *target_, *smoothing_, *margin_;
};

}  // namespace kernelgen::studio
