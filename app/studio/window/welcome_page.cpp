// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/welcome_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/base/file.h"

namespace kernelgen::studio {

namespace {

QStringList samples() {
    const QString folder = QString::fromStdString((resource_folder() / "projects").string());
    QStringList found;
    for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (QFileInfo::exists(folder + "/" + name + "/project.json")) found << folder + "/" + name;
    }
    return found;
}

QString linkTo(const QString& folder) {
    return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none\">%2</a>")
        .arg(folder.toHtmlEscaped(), QFileInfo(folder).fileName().toHtmlEscaped());
}

}  // namespace

WelcomePage::WelcomePage(Settings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings), column_(new QVBoxLayout) {
    auto* title = new QLabel(QStringLiteral("KernelGen Studio"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    title->setFont(large);
    auto* what =
        new QLabel(tr("Open a project, move its tile sliders, press F5: the kernel is verified, timed against "
                      "its baseline, and placed on the roofline."));
    what->setWordWrap(true);
    auto* open = new QPushButton(tr("Open a project…"));
    auto* create = new QPushButton(tr("New project…"));
    connect(open, &QPushButton::clicked, this, &WelcomePage::chooseProject);
    connect(create, &QPushButton::clicked, this, &WelcomePage::newProject);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(create);
    buttons->addStretch();
    column_->addWidget(title);
    column_->addWidget(what);
    column_->addSpacing(8);
    column_->addLayout(buttons);
    auto* centred = new QHBoxLayout;
    centred->addStretch(1);
    centred->addLayout(column_, 3);
    centred->addStretch(1);
    auto* whole = new QVBoxLayout(this);
    whole->addStretch(1);
    whole->addLayout(centred);
    whole->addStretch(2);
    refresh();
}

void WelcomePage::refresh() {
    for (QWidget* each : links_) delete each;
    links_.clear();
    addLinks(tr("Recent projects"), settings_.recentProjects());
    addLinks(tr("Samples (saved changes go into the installed folder; use Save as to keep your own)"), samples());
}

void WelcomePage::addLinks(const QString& title, const QStringList& folders) {
    if (folders.isEmpty()) return;
    QString html = "<p><b>" + title.toHtmlEscaped() + "</b></p><p style=\"line-height:150%\">";
    for (const QString& folder : folders) html += linkTo(folder) + "&nbsp;&nbsp; ";
    auto* label = new QLabel(html + "</p>");
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse);
    connect(label, &QLabel::linkActivated, this, &WelcomePage::openProject);
    column_->addWidget(label);
    links_.push_back(label);
}

}  // namespace kernelgen::studio
