// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/device_model.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

void read(const JsonPlace& place, DeviceModel& model) {
    JsonObject object(place);
    object.required("name", model.name);
    object.optional("reported_as", model.reported_as);
    object.required("architecture", model.architecture);
    object.required("multiprocessors", model.multiprocessors);
    object.required("threads_per_multiprocessor", model.threads_per_multiprocessor);
    object.required("blocks_per_multiprocessor", model.blocks_per_multiprocessor);
    object.required("registers_per_multiprocessor", model.registers_per_multiprocessor);
    object.required("registers_per_block", model.registers_per_block);
    object.required("shared_per_multiprocessor", model.shared_per_multiprocessor);
    object.required("shared_per_block", model.shared_per_block);
    object.required("shared_reserved_per_block", model.shared_reserved_per_block);
    object.required("shared_unit", model.shared_unit);
    object.required("l2_bytes", model.l2_bytes);
    object.finish();
}

Result<DeviceModel> read_model(const fs::path& path) {
    const Result<std::string> text = read_file(path);
    if (!text) return std::unexpected(text.error());
    const Validated<nlohmann::json> document = parse_json(*text, path.string());
    if (!document) return fail(to_string(document.error()));
    Diagnostics diagnostics;
    DeviceModel model;
    read(JsonPlace(*document, diagnostics), model);
    for (Diagnostic& diagnostic : diagnostics) diagnostic.file = path.string();
    if (!diagnostics.empty()) return fail(to_string(diagnostics));
    model.id = path.stem().string();
    return model;
}

}  // namespace

Sizes numbers_of(const DeviceModel& model) {
    return {{"architecture", architecture_number(model)},
            {"multiprocessors", model.multiprocessors},
            {"threads", std::int64_t{model.multiprocessors} * model.threads_per_multiprocessor},
            {"threads_per_multiprocessor", model.threads_per_multiprocessor},
            {"blocks_per_multiprocessor", model.blocks_per_multiprocessor},
            {"registers_per_multiprocessor", model.registers_per_multiprocessor},
            {"registers_per_block", model.registers_per_block},
            {"shared_per_multiprocessor", model.shared_per_multiprocessor},
            {"shared_per_block", model.shared_per_block},
            {"l2_bytes", model.l2_bytes}};
}

int architecture_number(const DeviceModel& model) {
    return model.architecture.starts_with("sm_") ? std::atoi(model.architecture.c_str() + 3) : 0;
}

Result<std::vector<DeviceModel>> device_models() {
    std::vector<DeviceModel> models;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(resource_folder() / "device_models", error)) {
        if (entry.path().extension() != ".json") continue;
        Result<DeviceModel> model = read_model(entry.path());
        if (!model) return std::unexpected(model.error());
        models.push_back(std::move(*model));
    }
    std::ranges::sort(models, {}, &DeviceModel::id);
    return models;
}

Result<DeviceModel> find_device_model(const std::string& id) {
    Result<std::vector<DeviceModel>> models = device_models();
    if (!models) return std::unexpected(models.error());
    std::vector<std::string> ids;
    for (DeviceModel& model : *models) {
        if (model.id == id) return std::move(model);
        ids.push_back(model.id);
    }
    return fail(say("no device model `{}`; there are: {}", id, join(ids, ", ")));
}

}  // namespace kernelgen
