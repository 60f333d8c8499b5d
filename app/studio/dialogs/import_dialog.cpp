// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/import_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <QtConcurrentRun>

#include "app/studio/application/text.h"
#include "app/studio/dialogs/import_page.h"
#include "app/studio/rounds/html_page.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QWidget* withButton(QLineEdit* field, QPushButton* button) {
    auto* both = new QWidget;
    auto* line = new QHBoxLayout(both);
    line->setContentsMargins({});
    line->addWidget(field, 1);
    line->addWidget(button);
    return both;
}

}  // namespace

ImportDialog::ImportDialog(const QString& parentOfProjects, QWidget* parent)
    : QDialog(parent),
      parent_of_projects_(parentOfProjects),
      source_(new QLineEdit),
      target_(new QLineEdit),
      page_(new QTextBrowser),
      problem_(new QLabel) {
    setWindowTitle(tr("Import Python files"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeFields());
    layout->addWidget(page_, 1);
    layout->addWidget(problem_);
    page_->setObjectName("import_page");
    page_->setAccessibleName(tr("What was found"));
    page_->setOpenLinks(false);
    problem_->setObjectName("import_problem");
    problem_->setWordWrap(true);
    QPalette red = problem_->palette();
    red.setColor(QPalette::WindowText, coloursOf(palette()).bad);
    problem_->setPalette(red);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    import_ = buttons->button(QDialogButtonBox::Ok);
    import_->setText(tr("Import"));
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ImportDialog::reject);
    connect(source_, &QLineEdit::editingFinished, this, &ImportDialog::read);
    connect(target_, &QLineEdit::textEdited, this, [this] {
        own_target_ = true;
        updateState();
    });
    connect(&reading_, &QFutureWatcherBase::finished, this, &ImportDialog::takeRead);
    layout->addWidget(buttons);
    resize(700, 620);
    read();
}

QWidget* ImportDialog::makeFields() {
    auto* fields = new QWidget;
    auto* form = new QFormLayout(fields);
    form->setContentsMargins({});
    auto* choose_source = new QPushButton(tr("Choose…"));
    auto* choose_target = new QPushButton(tr("Choose…"));
    choose_source->setAccessibleName(tr("Choose the folder of the files"));
    choose_target->setAccessibleName(tr("Choose the folder of the project"));
    choose_source->setAutoDefault(false);
    choose_target->setAutoDefault(false);
    source_->setObjectName("import_source");
    source_->setAccessibleName(tr("Folder of the files"));
    source_->setPlaceholderText(tr("with NAME_triton.py, NAME_baseline.py and their tests"));
    target_->setObjectName("import_target");
    target_->setAccessibleName(tr("New project"));
    form->addRow(tr("Folder of the files"), withButton(source_, choose_source));
    form->addRow(tr("New project"), withButton(target_, choose_target));
    connect(choose_source, &QPushButton::clicked, this, &ImportDialog::chooseSource);
    connect(choose_target, &QPushButton::clicked, this, &ImportDialog::chooseTarget);
    return fields;
}

QString ImportDialog::folder() const { return QDir::cleanPath(target_->text().trimmed()); }

QString ImportDialog::source() const { return source_->text().trimmed(); }

void ImportDialog::setSource(const QString& folder) {
    source_->setText(folder);
    read();
}

void ImportDialog::chooseSource() {
    const QString start = source().isEmpty() ? QDir::homePath() : source();
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder of the Python files"), start);
    if (!chosen.isEmpty()) setSource(chosen);
}

void ImportDialog::chooseTarget() {
    const QString chosen = QFileDialog::getSaveFileName(this, tr("New project: a new folder"), folder(), {}, nullptr,
                                                        QFileDialog::ShowDirsOnly);
    if (chosen.isEmpty()) return;
    own_target_ = true;
    target_->setText(chosen);
    updateState();
}

void ImportDialog::read() {
    if (source() == asked_ && !asked_.isEmpty()) return;
    asked_ = source();
    set_.reset();
    HtmlPage page(palette());
    if (asked_.isEmpty()) {
        page.paragraph(
            tr("Choose a folder that holds an operator's files: its Triton kernel with the wrapper, the "
               "PyTorch baseline, and the accuracy and performance tests, as far as there are any."));
        page.muted(tr("The files are read, never executed. The folder is left as it is."));
    } else {
        page.muted(tr("Reading %1").arg(asked_));
        reading_.setFuture(QtConcurrent::run([folder = asked_.toStdString()] {
            return std::make_shared<Checked<ImportedSet>>(read_python_set(folder));
        }));
    }
    page_->setHtml(page.take());
    updateState();
}

void ImportDialog::takeRead() {
    const Reading read = reading_.result();
    if (*read) {
        set_ = std::move(**read);
        page_->setHtml(importPage(*set_, palette()));
        suggestTarget();
    } else {
        page_->setHtml(importProblemPage(read->error(), palette()));
    }
    updateState();
}

/// A folder that is not there yet, named after the operator.
void ImportDialog::suggestTarget() {
    if (own_target_) return;
    const QString name = parent_of_projects_ + "/" + toQt(set_->project.definition.name);
    QString free = name;
    for (int number = 2; QFileInfo::exists(free); ++number) free = QStringLiteral("%1-%2").arg(name).arg(number);
    target_->setText(free);
}

void ImportDialog::updateState() {
    const bool taken = QFileInfo::exists(folder() + "/project.json");
    problem_->setText(set_ && taken ? tr("That folder holds a project already: choose another.") : QString());
    problem_->setVisible(!problem_->text().isEmpty());
    import_->setEnabled(set_ && !target_->text().trimmed().isEmpty() && !taken);
}

void ImportDialog::accept() {
    if (!set_) return;
    const Result<void> written = write_imported(*set_, folder().toStdString());
    if (written) return QDialog::accept();
    problem_->setText(toQt(written.error().message));
    problem_->show();
}

}  // namespace kernelgen::studio
