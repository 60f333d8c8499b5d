// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/model_devices.h"

#include <format>

#include "core/base/sentences.h"
#include "gpu/cuda/device_model.h"

namespace kernelgen {
namespace {

constexpr std::string_view prefix = "cuda:";

std::string name_of(const DeviceModel& model) { return std::string(prefix) + model.id; }

Said reason_of(const DeviceModel& model) { return say(sentences::builds_only, name_of(model)); }

}  // namespace

std::vector<DeviceInfo> model_devices(const Result<NvrtcLibrary>& compiler) {
    std::vector<DeviceInfo> devices;
    const Result<std::vector<DeviceModel>> models = device_models();
    if (!models) return devices;  // a build for one says what does not read
    for (const DeviceModel& model : *models) {
        DeviceInfo& device = devices.emplace_back();
        device.name = name_of(model);
        device.builds_only = true;
        device.reason = reason_of(model);
        device.description = std::format("{}, {}", model.name, model.architecture);
        device.numbers = numbers_of(model);
        if (compiler) device.languages.push_back(Language::cuda);
        else device.notes.push_back(compiler.error().message);
    }
    return devices;
}

std::optional<Said> builds_only_reason(const std::string& device) {
    if (!device.starts_with(prefix)) return std::nullopt;
    const Result<DeviceModel> model = find_device_model(device.substr(prefix.size()));
    return model ? std::optional(reason_of(*model)) : std::nullopt;
}

}  // namespace kernelgen
