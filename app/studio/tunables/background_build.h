// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// Why the present configuration may not run with some case; nothing where it may.
std::optional<QString> restrictionOf(Session& session);

/// Requests a build whenever something that is built has changed: soon after a tunable moved, a little later after an
/// edit of the source. A configuration that a restriction forbids is not built.
class BackgroundBuild : public QObject {
    Q_OBJECT

public:
    explicit BackgroundBuild(Session& session, QObject* parent = nullptr);

private:
    /// Everything on which a build depends, except the source's text.
    struct Subject {
        Operator definition;
        Variant variant;
        DType dtype = DType::f32;
        QString device;
        bool operator==(const Subject&) const = default;
    };
    std::optional<Subject> subject() const;
    void takeChange();
    void takeSource(const QString& file);
    void build();

    Session& session_;
    QTimer delay_;
    std::optional<Subject> asked_;
};

}  // namespace kernelgen::studio
