// SPDX-License-Identifier: Apache-2.0
#include "core/measure/roofline.h"

#include "core/measure/metrics.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelgen {

using nlohmann::json;

RooflinePoint place_on_roofline(const Analysis& analysis, DType arithmetic, double seconds, const Ceilings& ceilings) {
    RooflinePoint point;
    point.intensity = analysis.intensity();
    if (!(seconds > 0)) return point;
    point.bandwidth_gbps = analysis.bytes() / seconds * 1e-9;
    point.gflops = analysis.flops / seconds * 1e-9;
    point.bandwidth_ceiling_gbps = bandwidth_ceiling(ceilings, analysis.bytes_read, analysis.bytes_written);
    point.gflops_ceiling = flop_ceiling(ceilings, arithmetic, analysis.multiplied);
    point.has_ceilings = point.bandwidth_ceiling_gbps > 0;
    if (!point.has_ceilings) return point;
    point.attainable_gbps = point.bandwidth_ceiling_gbps;
    if (point.gflops_ceiling > 0 && point.intensity > 0) {
        point.attainable_gbps = std::min(point.attainable_gbps, point.gflops_ceiling / point.intensity);
    }
    point.memory_bound = point.attainable_gbps == point.bandwidth_ceiling_gbps;
    point.fraction = point.bandwidth_gbps / point.attainable_gbps;
    point.implausible = point.fraction > most_plausible_fraction;
    return point;
}

json to_json(const RooflinePoint& point) {
    json object = {{metrics::intensity.name, point.intensity},
                   {metrics::bandwidth_gbps.name, point.bandwidth_gbps},
                   {metrics::gflops.name, point.gflops}};
    if (!point.has_ceilings) return object;
    object[metrics::bandwidth_ceiling_gbps.name] = point.bandwidth_ceiling_gbps;
    object[metrics::gflops_ceiling.name] = point.gflops_ceiling;
    object[metrics::attainable_gbps.name] = point.attainable_gbps;
    object[metrics::fraction.name] = point.fraction;
    object["memory_bound"] = point.memory_bound;
    object["implausible"] = point.implausible;
    return object;
}

RooflinePoint roofline_point_from_json(const json& object) {
    RooflinePoint point;
    point.intensity = object.value(metrics::intensity.name, 0.0);
    point.bandwidth_gbps = object.value(metrics::bandwidth_gbps.name, 0.0);
    point.gflops = object.value(metrics::gflops.name, 0.0);
    point.has_ceilings = object.contains(metrics::attainable_gbps.name);
    point.bandwidth_ceiling_gbps = object.value(metrics::bandwidth_ceiling_gbps.name, 0.0);
    point.gflops_ceiling = object.value(metrics::gflops_ceiling.name, 0.0);
    point.attainable_gbps = object.value(metrics::attainable_gbps.name, 0.0);
    point.fraction = object.value(metrics::fraction.name, 0.0);
    point.memory_bound = object.value("memory_bound", true);
    point.implausible = object.value("implausible", false);
    return point;
}

}  // namespace kernelgen
