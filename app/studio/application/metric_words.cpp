// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/metric_words.h"

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "core/report/build_table.h"
#include "core/report/phrases.h"

namespace kernelgen::studio {

QString titleOf(const Metric& metric) { return toQt(windowPhrases()(metric)); }

QString meaningOf(const Metric& metric) { return toQt(windowPhrases().of_engine(metric.meaning)); }

QString valueOf(const Metric& metric, double value) { return toQt(windowPhrases().value(metric, value)); }

QString unitOf(const Metric& metric) { return toQt(metric.unit); }

QString labelOf(const Metric& metric) { return titleOf(metric) + ", " + unitOf(metric); }

QString titleOfLimiter() { return toQt(windowPhrases()(Text::limited_by)); }

QString limiterInWords(const std::string& limiter) { return toQt(limiter_phrase(limiter, windowPhrases())); }

}  // namespace kernelgen::studio
