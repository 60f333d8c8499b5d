// SPDX-License-Identifier: Apache-2.0
#include "core/lang/convolution.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/lang/integer_expression.h"

namespace kernelgen {

namespace {

constexpr std::int64_t largest_option = 65536;
constexpr std::string_view option_names[] = {"stride", "padding", "dilation", "groups"};
constexpr std::size_t operand_count = 2;  ///< images and kernels stand before the options

/// The size of a dimension, where it is known. One below 1 is none, which is said elsewhere.
std::optional<std::int64_t> known_size(const std::string& dimension, const Sizes& sizes) {
    long long number = 0;
    const auto found = sizes.find(dimension);
    if (!parse_integer(dimension, number)) number = found == sizes.end() ? 0 : found->second;
    return number < 1 ? std::nullopt : std::optional<std::int64_t>(number);
}

bool is_number_text(const std::string& dimension) {
    long long number = 0;
    return parse_integer(dimension, number);
}

/// Larger sizes count as this, so that no sum or product of one overflows.
constexpr std::int64_t most_counted = std::int64_t{1} << 45;

/// Elements of an image that a kernel covers.
std::int64_t covered(const Convolution& convolution, std::int64_t kernel) {
    return convolution.dilation * (std::min(kernel, most_counted) - 1) + 1;
}

/// The size of the result; below 1 where a kernel does not fit.
std::int64_t result_size(const Convolution& convolution, std::int64_t image, std::int64_t kernel) {
    const std::int64_t room = std::min(image, most_counted) + 2 * convolution.padding - covered(convolution, kernel);
    return room < 0 ? 0 : room / convolution.stride + 1;
}

/// `result_size` as an integer expression.
std::string result_text(const Convolution& convolution, const std::string& image, const std::string& kernel) {
    std::int64_t constant = 2 * convolution.padding + convolution.dilation - 1;
    std::string text = image;
    long long number = 0;
    if (parse_integer(kernel, number)) constant -= convolution.dilation * std::min<std::int64_t>(number, most_counted);
    else text += " - " + (convolution.dilation == 1 ? "" : std::to_string(convolution.dilation) + " * ") + kernel;
    if (convolution.stride == 1) ++constant;
    if (constant != 0) text += (constant < 0 ? " - " : " + ") + std::to_string(std::abs(constant));
    return convolution.stride == 1 ? text : "(" + text + ") / " + std::to_string(convolution.stride) + " + 1";
}

/// One of height and width.
struct Axis {
    const std::string &image, &kernel, &result;
};
std::vector<Axis> axes_of(const Convolution& convolution) {
    return {{convolution.height, convolution.kernel_height, convolution.out_height},
            {convolution.width, convolution.kernel_width, convolution.out_width}};
}

std::optional<Said> problem_of_axis(const Convolution& convolution, const Axis& axis, const Sizes& sizes) {
    const auto image = known_size(axis.image, sizes), kernel = known_size(axis.kernel, sizes);
    if (!image || !kernel) return std::nullopt;
    const std::int64_t meant = result_size(convolution, *image, *kernel);
    if (meant < 1)
        return say("a kernel of {} with dilation {} does not fit in an image of {} with padding {}", *kernel,
                   convolution.dilation, *image, convolution.padding);
    const auto result = known_size(axis.result, sizes);
    if (!result || *result == meant) return std::nullopt;
    return say("`{}` of the result is {}; kernels of {} on images of {} give {} (stride {}, padding {}, dilation {})",
               axis.result, *result, *kernel, *image, meant, convolution.stride, convolution.padding,
               convolution.dilation);
}

/// Reads one option's value. Returns whether it is right.
bool read_option(Convolution& made, std::string_view name, const Expression& value, const Operator& definition,
                 const ReportError& error) {
    const bool is_groups = name == option_names[3];
    const bool is_symbol =
        value.kind == Expression::Kind::name && std::ranges::contains(definition.symbols, value.text);
    long long number = 0;
    const bool is_number = value.kind == Expression::Kind::number && parse_integer(value.text, number);
    const std::int64_t least = name == option_names[1] ? 0 : 1;
    if (!(is_groups && is_symbol) && (!is_number || number < least || number > largest_option)) {
        error(value.position, say("`{}` must be an integer from {} to {}", name, least, largest_option),
              is_groups ? "or a symbol, such as that of the channels" : "");
        return false;
    }
    if (is_groups) made.groups = is_symbol ? value.text : std::to_string(number);
    else (name == option_names[0] ? made.stride : least == 0 ? made.padding : made.dilation) = number;
    return true;
}

}  // namespace

Shape Convolution::result() const {
    return is_channels_last ? Shape{images, out_height, out_width, kernels}
                            : Shape{images, kernels, out_height, out_width};
}

std::string Convolution::depth() const {
    std::vector<std::string> factors;
    for (const std::string& each : is_channels_last ? std::vector{kernel_height, kernel_width, group_channels}
                                                    : std::vector{group_channels, kernel_height, kernel_width}) {
        if (each != "1") factors.push_back(each);
    }
    return factors.empty() ? "1" : join(factors, " * ");
}

ConvolutionSizes sizes_of(const Convolution& convolution, const Sizes& sizes) {
    const auto size = [&](const std::string& dimension) { return known_size(dimension, sizes).value(); };
    return {size(convolution.images),        size(convolution.channels),     size(convolution.height),
            size(convolution.width),         size(convolution.kernels),      size(convolution.group_channels),
            size(convolution.kernel_height), size(convolution.kernel_width), size(convolution.out_height),
            size(convolution.out_width),     size(convolution.groups)};
}

std::optional<Convolution> convolution_options(const Expression& call, const Operator& definition,
                                               const ReportError& error) {
    Convolution made;
    made.is_channels_last = call.text == channels_last_convolution_name;
    const std::size_t count = call.operands.size();
    if (count < operand_count || count > operand_count + std::size(option_names)) {
        error(call.position, say("`{}` takes images, kernels and four options, not {} arguments", call.text, count),
              say("such as `{}(x, w, stride=2, padding=1, dilation=1, groups=1)`", call.text));
        return std::nullopt;
    }
    std::vector<std::string> given;
    for (std::size_t i = 0; i < count; ++i) {
        const Expression& argument = *call.operands[i];
        if (i < operand_count) {
            if (argument.keyword.empty()) continue;
            error(argument.position, say("images and kernels of `{}` go by position", call.text), "");
            return std::nullopt;
        }
        const std::string name =
            argument.keyword.empty() ? std::string(option_names[i - operand_count]) : argument.keyword;
        if (!std::ranges::contains(option_names, name) || std::ranges::contains(given, name) ||
            (argument.keyword.empty() && given.size() != i - operand_count)) {
            error(argument.position, say("`{}` has no argument `{}` here", call.text, name),
                  "the options are stride, padding, dilation and groups, each once");
            return std::nullopt;
        }
        given.push_back(name);
        if (!read_option(made, name, argument, definition, error)) return std::nullopt;
    }
    return made;
}

bool set_dimensions(Convolution& convolution, const Shape& image, const Shape& kernels, const Shape& output,
                    Said& problem) {
    const std::string_view name = convolution.is_channels_last ? channels_last_convolution_name : convolution_name;
    const auto describe = [&](const Shape& images, const Shape& weights) {
        problem = say("`{}` takes images of shape {} and kernels of shape {}, not {} and {}", name, to_string(images),
                      to_string(weights), to_string(image), to_string(kernels));
        return false;
    };
    const bool last = convolution.is_channels_last;
    if (image.size() != 4 || kernels.size() != 4)
        return last ? describe({"N", "H", "W", "C"}, {"O", "R", "S", "C / groups"})
                    : describe({"N", "C", "H", "W"}, {"O", "C / groups", "R", "S"});
    if (output.size() != 4) {
        problem =
            say("the result of `{}` has four axes, and the first output has shape {}: its height and width are "
                "those of the result",
                name, to_string(output));
        return false;
    }
    const std::size_t channel = last ? 3 : 1, height = last ? 1 : 2;
    convolution.images = image[0];
    convolution.channels = image[channel];
    convolution.height = image[height];
    convolution.width = image[height + 1];
    convolution.kernels = kernels[0];
    convolution.group_channels = kernels[channel];
    convolution.kernel_height = kernels[height];
    convolution.kernel_width = kernels[height + 1];
    convolution.out_height = output[height];
    convolution.out_width = output[height + 1];
    const bool differ = convolution.groups == "1" && convolution.channels != convolution.group_channels;
    if (differ && !(is_number_text(convolution.channels) && is_number_text(convolution.group_channels))) {
        problem = say("the images have `{}` channels and the kernels `{}`; without groups they are the same",
                      convolution.channels, convolution.group_channels);
        return false;
    }
    const std::optional<Said> found = problem_of(convolution, {});
    if (found) problem = *found;
    return !found;
}

std::optional<Said> problem_of(const Convolution& convolution, const Sizes& sizes) {
    const auto channels = known_size(convolution.channels, sizes);
    const auto group_channels = known_size(convolution.group_channels, sizes);
    const auto groups = known_size(convolution.groups, sizes), kernels = known_size(convolution.kernels, sizes);
    const bool is_complete = channels && group_channels && groups;
    if (is_complete && (*channels % *group_channels != 0 || *channels / *group_channels != *groups))
        return say("the images have {} channels; the kernels expect {} for each of {} groups", *channels,
                   *group_channels, *groups);
    if (kernels && groups && *kernels % *groups != 0)
        return say("{} kernels cannot be shared out among {} groups", *kernels, *groups);
    for (const Axis& axis : axes_of(convolution)) {
        if (auto problem = problem_of_axis(convolution, axis, sizes)) return problem;
    }
    return std::nullopt;
}

std::vector<DerivedSize> derived_sizes(const Convolution& convolution) {
    const std::string given[] = {convolution.images, convolution.channels,      convolution.height,
                                 convolution.width,  convolution.kernels,       convolution.group_channels,
                                 convolution.groups, convolution.kernel_height, convolution.kernel_width};
    std::vector<DerivedSize> derived;
    for (const Axis& axis : axes_of(convolution)) {
        const bool is_told = std::ranges::contains(derived, axis.result, &DerivedSize::symbol);
        if (is_told || is_number_text(axis.result) || std::ranges::contains(given, axis.result)) continue;
        derived.push_back({axis.result, result_text(convolution, axis.image, axis.kernel)});
    }
    return derived;
}

std::vector<DerivedSize> required_sizes(const Convolution& convolution) {
    std::vector<DerivedSize> required;
    const auto add = [&](const std::string& dimension, const std::string& value) {
        const bool is_of_numbers = (dimension + value).find_first_not_of("0123456789 ()+-*/") == std::string::npos;
        if (value != dimension && !is_of_numbers) required.push_back({dimension, value});
    };
    if (convolution.groups != "1") {
        const bool is_one = convolution.group_channels == "1";
        add(convolution.channels,
            is_one ? convolution.groups : convolution.groups + " * " + convolution.group_channels);
        if (convolution.kernels != convolution.groups)
            add(convolution.kernels, convolution.kernels + " / " + convolution.groups + " * " + convolution.groups);
    }
    const std::vector<DerivedSize> derived = derived_sizes(convolution);
    for (const Axis& axis : axes_of(convolution)) {
        const DerivedSize meant{axis.result, result_text(convolution, axis.image, axis.kernel)};
        if (!std::ranges::contains(derived, meant)) add(meant.symbol, meant.value);
    }
    return required;
}

void add_derived_sizes(const Convolution& convolution, Sizes& sizes) {
    for (const DerivedSize& each : derived_sizes(convolution)) {
        const auto value = IntegerExpression::parse(each.value, "size");
        const Result<std::int64_t> size = value ? value->evaluate(sizes) : fail("");
        if (size) sizes.try_emplace(each.symbol, *size);
    }
}

void fit_sizes(const Convolution& convolution, Sizes& sizes) {
    const auto set = [&](const std::string& dimension, std::int64_t size) {
        if (const auto found = sizes.find(dimension); found != sizes.end()) found->second = size;
    };
    const auto counted = [&](const std::string& dimension, std::int64_t otherwise) {
        return std::min(known_size(dimension, sizes).value_or(otherwise), most_counted);
    };
    const std::int64_t groups = counted(convolution.groups, 1);
    if (convolution.channels == convolution.groups) set(convolution.group_channels, 1);
    else if (sizes.contains(convolution.channels))
        set(convolution.channels, groups * std::min(counted(convolution.group_channels, 1), most_counted / groups));
    else if (const auto channels = known_size(convolution.channels, sizes); channels && *channels >= groups)
        set(convolution.group_channels, *channels / groups);
    const std::int64_t kernels = counted(convolution.kernels, groups);
    set(convolution.kernels, (kernels + groups - 1) / groups * groups);
    for (const Axis& axis : axes_of(convolution)) {
        const std::int64_t kernel = known_size(axis.kernel, sizes).value_or(1);
        const std::int64_t least = covered(convolution, kernel) - 2 * convolution.padding;
        if (known_size(axis.image, sizes).value_or(least) < least) set(axis.image, least);
        // Without strides only a kernel that covers the padding gives a result as large as the image.
        if (axis.result == axis.image && convolution.stride == 1 && 2 * convolution.padding % convolution.dilation == 0)
            set(axis.kernel, 2 * convolution.padding / convolution.dilation + 1);
    }
    for (const DerivedSize& each : derived_sizes(convolution)) sizes.erase(each.symbol);
    add_derived_sizes(convolution, sizes);
}

}  // namespace kernelgen
