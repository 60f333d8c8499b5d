// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/welcome_page.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/studio/document/samples.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QString linkTo(const QString& folder) {
    return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none\">%2</a>")
        .arg(folder.toHtmlEscaped(), QFileInfo(folder).fileName().toHtmlEscaped());
}

/// A project a line, with its place.
QString asList(const QStringList& folders, const QColor& muted) {
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">");
    for (const QString& folder : folders) {
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;</td><td style=\"color:%2\">%3</td></tr>")
                    .arg(linkTo(folder), muted.name(), folder.toHtmlEscaped());
    }
    return html + "</table>";
}

QString inARow(const QStringList& folders) {
    QStringList links;
    for (const QString& folder : folders) links << linkTo(folder);
    return links.join(QStringLiteral(" &nbsp;&nbsp; "));
}

}  // namespace

QString WelcomePage::samplesFolder() { return QDir::homePath() + "/kernelgen"; }

WelcomePage::WelcomePage(Settings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings), column_(new QVBoxLayout) {
    column_->setSpacing(10);
    addTitle();
    addButtons();
    auto* centred = new QHBoxLayout;
    centred->addStretch(1);
    centred->addLayout(column_, 2);
    centred->addStretch(1);
    auto* whole = new QVBoxLayout(this);
    whole->addStretch(2);
    whole->addLayout(centred);
    whole->addStretch(3);
    refresh();
}

void WelcomePage::addTitle() {
    auto* picture = new QLabel;
    picture->setPixmap(QGuiApplication::windowIcon().pixmap(56, 56));
    auto* title = new QLabel(QStringLiteral("KernelGen Studio"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    title->setFont(large);
    auto* row = new QHBoxLayout;
    row->setSpacing(14);
    row->addWidget(picture);
    row->addWidget(title, 1);
    auto* what = new QLabel(
        tr("Open a project, move its tile sliders, press F5: the kernel is built, verified against a float64 "
           "reference, timed against its baseline and placed on the roofline. Ctrl+E writes the log."));
    what->setWordWrap(true);
    column_->addLayout(row);
    column_->addWidget(what);
}

void WelcomePage::addButtons() {
    auto* open = new QPushButton(tr("Open a project…"));
    auto* create = new QPushButton(tr("New project…"));
    connect(open, &QPushButton::clicked, this, &WelcomePage::chooseProject);
    connect(create, &QPushButton::clicked, this, &WelcomePage::newProject);
    auto* model = new QPushButton(tr("Operators of a model…"));
    connect(model, &QPushButton::clicked, this, &WelcomePage::showModel);
    auto* tour = new QPushButton(tr("Tour"));
    tour->setToolTip(tr("Five steps in the window itself: a minute, with a real kernel"));
    connect(tour, &QPushButton::clicked, this, &WelcomePage::takeTour);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* each : {open, create, model, tour}) buttons->addWidget(each);
    buttons->addStretch();
    column_->addLayout(buttons);
}

void WelcomePage::refresh() {
    for (QWidget* each : links_) delete each;
    links_.clear();
    addLinks(tr("Recent projects"), asList(settings_.recentProjects(), coloursOf(palette()).muted),
             &WelcomePage::openProject);
    addLinks(tr("Samples, each opened as a copy of your own in %1").arg(samplesFolder()), inARow(samples()),
             &WelcomePage::openSample);
}

void WelcomePage::addLinks(const QString& title, const QString& links, void (WelcomePage::*open)(const QString&)) {
    if (!links.contains("href")) return;
    auto* label = new QLabel("<p><b>" + title.toHtmlEscaped() + "</b></p>" + links);
    label->setAccessibleName(title);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse);
    connect(label, &QLabel::linkActivated, this, open);
    column_->addWidget(label);
    links_.push_back(label);
}

void WelcomePage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace kernelgen::studio
