// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/round/history.h"

namespace kernelgen::studio {

/// Numbers as a person reads them, with three significant digits.
QString threeDigits(double value);
QString secondsText(double seconds);  ///< "1.23 ms"
QString ratioText(double ratio);      ///< "1.23×"
QString bytesText(double bytes);      ///< "16 MiB"
QString joulesText(double joules);    ///< "1.23 mJ"
QString bandwidthText(double gbps);   ///< "118 GB/s", "1.2 TB/s"
QString flopsText(double gflops);     ///< "503 GFLOP/s"
QString percentText(double fraction);

/// All data of a round and, where it is not null, of one of its cases, as rich text.
QString roundTip(const Round& round, const RoundCase* timing);

}  // namespace kernelgen::studio
