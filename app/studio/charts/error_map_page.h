// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/round/record.h"

class QSplitter;

namespace kernelgen::studio {

class CasePage;
class CausesView;
class ErrorMapView;
class Settings;

/// The error map of a failed round with the likely causes beside it.
class ErrorMapPage : public QWidget {
    Q_OBJECT

public:
    explicit ErrorMapPage(Settings& settings, QWidget* parent = nullptr);

    ErrorMapView* map() { return map_; }

    /// Shows why a record's results are wrong; where there is no explanation, what the map is for.
    void present(std::shared_ptr<const RoundDetail> detail);
    void showMessage(const QString& text);  ///< in place of both

signals:
    void goToSource(const QString& file, int line, int column);

private:
    void showChosen();

    std::shared_ptr<const RoundDetail> detail_;
    CasePage* outputs_ = nullptr;
    ErrorMapView* map_ = nullptr;
    CausesView* causes_ = nullptr;
    QSplitter* splitter_ = nullptr;
};

}  // namespace kernelgen::studio
