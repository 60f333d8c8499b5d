// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QTimer>
#include <QWidget>
#include <functional>

#include "app/studio/assembly/listing_model.h"
#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace kernelgen::studio {

class ListingDelegate;

/// The code that the variant as it stands is built to, beside its source: x86-64, SASS, PTX, or Triton's stages. It
/// follows the builds while it is shown. Lines of the source and their code have the same colour and lead to one
/// another. Listings are read and searched in other threads.
class AssemblyPanel : public QWidget {
    Q_OBJECT

public:
    explicit AssemblyPanel(Session& session, QWidget* parent = nullptr);
    ~AssemblyPanel() override;

    void setShown(bool shown);  ///< builds have no texts for a panel that is not
    void build();               ///< as the user asked: a Python file may be executed for it
    void followSource(const QString& file, int line);
    /// Against nothing, the code as it is now, or the selected round.
    enum Against { alone, present, round };
    const SharedCode& code() const { return model_.code(); }

signals:
    void coloursChanged(const kernelgen::studio::LineColours& colours);
    void lineChosen(const QString& file, int line);              ///< its row was chosen: it is to be seen
    void goToSource(const QString& file, int line, int column);  ///< to edit it

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeBar();
    void makeTable();
    void followSession();
    void takeVariant();
    void takeChange();
    void takeOutcome(const BuildOutcome& outcome);
    void readText();
    void makeAgainst();
    void nameRound();
    void compareAgainst(int choice);
    void compareWithRound();
    void takeOther(const BuildResult& result);
    QString whyNoOther() const;
    void takeCode();
    void showNothing(const QString& why);
    void fillFunctions();
    void mark(const std::string& file, int line);
    void takeCurrentRow();
    std::vector<std::size_t> selectedLines() const;
    void takeSelection();
    void showMix();
    void goToLine(std::size_t line);
    void makeFolding();
    void changeFolding(const std::function<void(Folding&)>& change);
    void foldCurrent();
    bool takeClick(const QPoint& place);
    void look();
    void takeFound();
    void step(int by);
    void copy();
    void applyPalette();
    std::optional<CodeKind> chosenKind() const;

    Session& session_;
    QComboBox *kind_, *function_, *against_;
    QLineEdit* find_;
    QToolButton *fold_, *previous_, *next_;
    QLabel *found_count_, *state_, *mix_;
    QStackedWidget* pages_;
    QTableView* table_;
    ListingModel model_;
    ListingDelegate* delegate_;
    BuildResult built_;
    DType dtype_ = DType::f32;        ///< that it was built for
    std::vector<std::string> files_;  ///< that it was built of
    /// What the code is compared with.
    struct Other {
        QString name;
        BuildResult built;
        std::vector<std::string> files;
    };
    std::optional<Other> other_;
    std::optional<int> wanted_round_;  ///< whose build is under way
    QFutureWatcher<SharedCode> reading_;
    QFutureWatcher<std::vector<int>> looking_;
    QFutureWatcher<InstructionMix> counting_;
    QTimer mix_turn_, look_turn_;
    std::vector<int> found_;
    bool shown_ = false;
    bool obstructed_ = false;      ///< what there is is not built
    bool leads_to_first_ = false;  ///< the first difference is to be shown, once there is one
    bool following_ = false;       ///< rows are chosen because the source's cursor moved
    std::string marked_file_;
    int marked_line_ = 0;  ///< whose code stands out; 0: none
    enum class Counted { all, line, selection };
    Counted counted_ = Counted::all;  ///< what the mix is of
};

}  // namespace kernelgen::studio
