// SPDX-License-Identifier: Apache-2.0
// A convolution without strides as a product of matrices whose right operand is not packed: its line for each tap is
// the padded image, shifted. Pixels are numbered along rows of the padded width, so that a tap is one offset for all of
// them; what lies between the end of a row and the next one is computed and not used. docs/CONTRACTIONS.md explains it.
#pragma once

#include "kernelgen/patches.h"

namespace kg {

/// The padded images of some channels, as far as the pixels [first, last) of the result need them.
template <class Patches>
struct ShiftedPlanes {
    const Patches& patches;
    int64_t first_row, rows;  ///< of the result
    int64_t width, plane;     ///< elements of a padded row, and of a channel

    ShiftedPlanes(const Patches& of, Tile pixels)
        : patches(of),
          first_row(pixels.first / of.window.out_width),
          rows((pixels.last - 1) / of.window.out_width + 1 - first_row),
          width(of.window.out_width + (of.window.kernel_width - 1) * of.window.dilation),
          plane((rows + (of.window.kernel_height - 1) * of.window.dilation) * width) {}

    /// The place of a pixel of the result in the first row's numbers.
    int64_t place(int64_t pixel) const {
        const int64_t row = pixel / patches.window.out_width;
        return (row - first_row) * width + pixel - row * patches.window.out_width;
    }
    template <class T>
    void copy(int64_t first_channel, int64_t channels, T* to) const {
        const auto& window = patches.window;
        for (int64_t channel = first_channel; channel < first_channel + channels; ++channel) {
            for (int64_t row = 0; row < plane / width; ++row, to += width) {
                const int64_t h = first_row + row - window.padding;
                if (window.is_inside(h, window.height))
                    patches.template read<T>(patches.first_row + channel * window.height + h, -window.padding, 0, width,
                                             to);
                else
                    for (int64_t x = 0; x < width; ++x) to[x] = T(0);
            }
        }
    }
    /// Where the elements for place k of the depth begin, from those of `first_channel` on.
    int64_t offset(int64_t k, int64_t first_channel) const {
        const auto& window = patches.window;
        const int64_t taps = window.kernel_height * window.kernel_width, tap = k % taps;
        return (k / taps - first_channel) * plane + tap / window.kernel_width * window.dilation * width +
               tap % window.kernel_width * window.dilation;
    }
};

/// As `multiply_strips`, of columns that begin at another place for each k. Rows of sums are `distance` apart.
template <class T, int rows, class Layout>
inline void multiply_shifted(Layout, const T* left, const T* columns, const int64_t* offsets, int64_t depth,
                             bool is_new, T* sums, int64_t distance) {
    vec<T> tile[rows][register_vectors] = {};
    for (int64_t k = 0; k < depth; ++k, left += Layout::depth) {
        const T* const shifted = columns + offsets[k];
        vec<T> right[register_vectors];
#pragma GCC unroll 4
        for (int v = 0; v < register_vectors; ++v) right[v] = load_vector<vec<T>>(shifted + v * lanes<T>);
#pragma GCC unroll 32
        for (int i = 0; i < rows; ++i) {
            const T row = left[i * Layout::line];
#pragma GCC unroll 4
            for (int v = 0; v < register_vectors; ++v) tile[i][v] += row * right[v];
        }
    }
#pragma GCC unroll 32
    for (int i = 0; i < rows; ++i, sums += distance) {
#pragma GCC unroll 4
        for (int v = 0; v < register_vectors; ++v) {
            T* const to = sums + v * lanes<T>;
            store_vector(to, is_new ? tile[i][v] : tile[i][v] + load_vector<vec<T>>(to));
        }
    }
}

/// `contract` for patches without strides. They are packed where that writes less: of an image with long rows, which
/// are copied whole, and of kernels so wide or so far apart that most of what lies between rows is not used.
template <class T, int register_rows, int block, class Left, class Dtype, class Window, class Image, class Epilogue>
    requires(Window::stride == 1 && !has_pairs<T, typename Left::Dtype, Dtype>)
inline void contract(Tile rows, Tile columns, int64_t depth, const Left& left,
                     const PlanePatches<Dtype, Window, Image>& patches, const Epilogue& epilogue) {
    constexpr int width = register_vectors * lanes<T>;
    constexpr int distance = block + lanes<T>;
    const ShiftedPlanes planes(patches, columns);
    const int64_t taps = patches.window.kernel_height * patches.window.kernel_width;
    const int64_t first = planes.place(columns.first);
    const int64_t row_strips = cdiv(rows.last - rows.first, register_rows);
    const int64_t column_strips = cdiv(planes.place(columns.last - 1) + 1 - first, width);
    const int64_t sums_distance = column_strips * width;
    const int64_t packed = cdiv(columns.last - columns.first, width) * width;
    if (2 * sums_distance > 3 * packed || planes.plane > (taps > 4 ? taps : 4) * packed)
        return contract_packed<T, register_rows, block>(rows, columns, depth, left, patches, epilogue);
    T* const packed_left = row_buffer<T, 0>(row_strips * register_rows * distance).data;
    // The last strip may read as many elements more as it has.
    T* const images = row_buffer<T, 1>((block / taps + 2) * planes.plane + width).data;
    T* const sums = row_buffer<T, 2>(row_strips * register_rows * sums_distance).data;
    int64_t* const offsets = row_buffer<int64_t, 3>(block).data;
    for (int64_t k = 0; k < depth; k += block) {
        const Depth part{k, smaller(int64_t(block), depth - k)};
        const auto layout = pack_left<T, register_rows, distance>(left, rows, part, packed_left);
        const int64_t left_strip = layout.line == 1 ? register_rows * part.count : register_rows * distance;
        const int64_t channel = k / taps;
        planes.copy(channel, (k + part.count - 1) / taps + 1 - channel, images);
        for (int64_t i = 0; i < part.count; ++i) offsets[i] = planes.offset(k + i, channel);
        for (int64_t n = 0; n < column_strips; ++n) {
            for (int64_t m = 0; m < row_strips; ++m)
                multiply_shifted<T, register_rows>(layout, packed_left + m * left_strip, images + first + n * width,
                                                   offsets, part.count, k == 0,
                                                   sums + m * register_rows * sums_distance + n * width, sums_distance);
        }
    }
    for (int64_t i = rows.first; i < rows.last; ++i) {
        const T* const row = sums + (i - rows.first) * sums_distance;
        for (int64_t pixel = columns.first; pixel < columns.last;) {
            const int64_t out_width = patches.window.out_width;
            const int64_t end = smaller((pixel / out_width + 1) * out_width, columns.last);
            const int64_t shift = planes.place(pixel) - first - pixel;
            for_columns<T, 1>(pixel, end, [&](auto j) { epilogue(i, j, load(row + shift, j)); });
            pixel = end;
        }
    }
}

}  // namespace kg
