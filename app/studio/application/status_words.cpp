// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/status_words.h"

#include <QCoreApplication>

namespace kernelgen::studio {

namespace {

struct StatusWords {
    Q_DECLARE_TR_FUNCTIONS(StatusWords)
};

}  // namespace

QString word(Status status) {
    switch (status) {
        case Status::ok: return StatusWords::tr("ok");
        case Status::unavailable: return StatusWords::tr("unavailable");
        case Status::restricted: return StatusWords::tr("restricted");
        case Status::build_failed: return StatusWords::tr("build failed");
        case Status::over_limit: return StatusWords::tr("over limit");
        case Status::launch_failed: return StatusWords::tr("launch failed");
        case Status::crashed: return StatusWords::tr("crashed");
        case Status::timed_out: return StatusWords::tr("timed out");
        case Status::out_of_bounds: return StatusWords::tr("out of bounds");
        case Status::input_modified: return StatusWords::tr("input modified");
        case Status::unwritten: return StatusWords::tr("unwritten");
        case Status::mismatch: return StatusWords::tr("mismatch");
        case Status::nondeterministic: return StatusWords::tr("nondeterministic");
        case Status::implausible: return StatusWords::tr("implausible");
        case Status::cancelled: return StatusWords::tr("cancelled");
    }
    return {};
}

}  // namespace kernelgen::studio
