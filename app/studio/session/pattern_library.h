// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "core/diagnose/rule.h"
#include "core/strategy/pattern_file.h"

namespace kernelgen::studio {

/// All patterns of this user, with the rules that tell their findings' titles. Other threads read and write the files.
/// Lives in the GUI thread.
class PatternLibrary : public QObject {
    Q_OBJECT

public:
    struct Content {
        Patterns patterns;
        std::vector<Rule> rules;
    };

    using QObject::QObject;

    void reload();
    /// Null: they are being read for the first time.
    const std::shared_ptr<const Content>& content() const { return content_; }

    void edit(const Pattern& pattern);  ///< its note, and whether it is disabled
    void remove(const Pattern& pattern);
    void importFile(const QString& file);
    void exportOwn(const QString& file);

signals:
    void changed();
    void written();                     ///< the strategies may be in another order now
    void told(const QString& message);  ///< what an import or export did
    void failed(const QString& problem);

private:
    void write(std::function<Result<QString>()> work);

    std::shared_ptr<const Content> content_;
};

}  // namespace kernelgen::studio
