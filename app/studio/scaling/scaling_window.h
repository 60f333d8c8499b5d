// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFutureWatcher>
#include <memory>
#include <stop_token>

#include "core/report/scaling_report.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableWidget;
class QTabWidget;
class QTextBrowser;

namespace kernelgen::studio {

class AmaxView;
class ModeErrorsView;
class ScalingSetup;

/// Which FP8 format and scales tensors need, and what they cost. Another thread reads the files.
class ScalingWindow : public QDialog {
    Q_OBJECT

public:
    explicit ScalingWindow(QWidget* parent = nullptr);
    ~ScalingWindow() override;

    void open(const QStringList& files);
    void copyMarkdown() const;
    /// Begins with what a file keeps of earlier steps.
    void beginWith(const QString& state);
    /// Keeps what is known now for later steps.
    void keepState(const QString& file);
    bool isAsking() const { return is_asking_; }

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Answer {
        ScalingRequest request;
        ScalingState state;  ///< what there is to keep
        Validated<ScalingReport> report;
    };
    using Job = std::shared_ptr<const Answer>;

    QWidget* makeResult();
    QWidget* makeModes();
    QWidget* makeSteps();
    QWidget* makeLayers();
    QWidget* makeActions();
    QTableWidget* makeTable(const QString& name, const QString& what);
    const LayerScaling* layer() const;  ///< the chosen one; null: there is none
    void ask();
    void take();
    void showReport();
    void showMessage();
    void showLayer();
    void showSentences(const LayerScaling& layer);
    void showChart();
    void showModelErrors();
    void saveAs();
    void chooseState();
    void chooseStateToKeep();
    void tell(const Result<void>& written);
    void applyPalette();

    ScalingSetup* setup_;
    QComboBox* layers_;
    QLabel *problem_, *sentences_, *floor_;
    QTextBrowser* message_;
    QStackedWidget* pages_;
    QTabWidget* tabs_;
    QTableWidget *modes_, *steps_, *errors_, *policy_;
    ModeErrorsView* chart_;
    AmaxView* amax_;
    QPushButton *begin_, *keep_, *copy_, *save_;
    QString state_;  ///< the file to begin with; "": without
    Job shown_;      ///< null: nothing was answered
    bool is_asking_ = false;
    std::stop_source stop_;
    QFutureWatcher<Job> answer_;
};

}  // namespace kernelgen::studio
