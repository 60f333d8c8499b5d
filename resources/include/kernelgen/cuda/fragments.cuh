// SPDX-License-Identifier: Apache-2.0
// The results of tensor cores on their way to memory.
#pragma once

namespace kg {

/// Where a warp's fragments lie in a matrix of m rows and n columns.
struct FragmentPlace {
    int64_t row, column, m, n;
};

/// Where the 16 rows of a result lie that belong to 16 lines of the left operand: at the same place, where its lines are
/// rows of the result.
template <class Load>
KG_DEVICE FragmentPlace rows_of_lines(const Load&, const FragmentPlace& lines) {
    return lines;
}
template <class T, class Storage, class Window, int block_m>
KG_DEVICE FragmentPlace rows_of_lines(const TiledPatches<T, Storage, Window, block_m>& load,
                                      const FragmentPlace& lines) {
    const auto row = load.row(lines.row);
    return {row.first, lines.column, lines.row < lines.m ? row.first + row.pixels : 0, lines.n};
}

/// Fragments of 16 rows and 8 columns beside one another, `columns` in all, of one warp: a lane has the sums of rows
/// lane / 4 and 8 more, in columns lane % 4 · 2 and the next of each. They pass through shared memory, so that lanes
/// beside one another store to addresses beside one another.
template <int columns>
class StoredFragments {
public:
    /// Of shared memory, for each warp.
    static constexpr int bytes_of_warp = 16 * (128 + 16);

private:
    template <class Element>
    struct Staged {
        static constexpr int most = 128 / static_cast<int>(sizeof(Element));
        static constexpr int columns_at_a_time = columns < most ? columns : most;
        /// Bytes from row to row: 16 more than a row has, so that rows begin in different banks.
        static constexpr int distance = columns_at_a_time * static_cast<int>(sizeof(Element)) + 16;
        static constexpr int pieces_of_row = columns_at_a_time * static_cast<int>(sizeof(Element)) / 16;
    };

    template <class Element>
    static KG_DEVICE void put(unsigned char* staging, int row, int column, Element low, Element high) {
        Element* const place = reinterpret_cast<Element*>(staging + row * Staged<Element>::distance) + column;
        if constexpr (sizeof(Element) == 2) {
            *reinterpret_cast<uint32_t*>(place) = bits_as<uint16_t>(low) | uint32_t{bits_as<uint16_t>(high)} << 16;
        } else {
            place[0] = low;
            place[1] = high;
        }
    }

    struct alignas(16) FourWords {
        uint32_t each[4];
    };
    template <class Element>
    static KG_DEVICE bool has_pieces(const FragmentPlace& place, const Element* output) {
        return Staged<Element>::pieces_of_row > 0 && place.n % (16 / static_cast<int>(sizeof(Element))) == 0 &&
               reinterpret_cast<uint64_t>(output) % 16 == 0;
    }
    /// Copies 16 rows to `output`, from `column` on, in pieces of 16 bytes. `is_whole`: all elements exist.
    template <bool is_whole, class Element>
    static KG_DEVICE void copy_pieces(const unsigned char* staging, const FragmentPlace& place, int64_t column,
                                      Element* output) {
        using Shape = Staged<Element>;
        constexpr int in_piece = 16 / static_cast<int>(sizeof(Element));
        constexpr int pieces = larger_of(Shape::pieces_of_row, 1), rows = 32 / pieces;  // of a warp at a time
        const int lane = thread_index() % 32, row = lane / pieces, piece = lane % pieces;
        const unsigned char* const from = staging + row * Shape::distance + piece * 16;
        Element* const to = output + (place.row + row) * place.n + column + piece * in_piece;
        const bool has_column = is_whole || column + piece * in_piece < place.n;
        KG_UNROLL
        for (int r = 0; r < 16; r += rows) {
            const bool exists = is_whole || (has_column && place.row + row + r < place.m);
            if (!exists || row + r >= 16) continue;
            const auto words = *reinterpret_cast<const FourWords*>(from + r * Shape::distance);
            write_words<cache_default, 4>(to + r * place.n, words.each);
        }
    }
    template <class Element>
    static KG_DEVICE void copy_elements(const unsigned char* staging, const FragmentPlace& place, int64_t column,
                                        Element* output) {
        using Shape = Staged<Element>;
        for (int each = thread_index() % 32; each < 16 * Shape::columns_at_a_time; each += 32) {
            const int row = each / Shape::columns_at_a_time, c = each % Shape::columns_at_a_time;
            if (place.row + row >= place.m || column + c >= place.n) continue;
            output[(place.row + row) * place.n + column + c] =
                reinterpret_cast<const Element*>(staging + row * Shape::distance)[c];
        }
    }

    /// Stores the output of which `choose` picks the element. `is_whole`: all elements exist, in whole pieces.
    template <bool is_whole, class Element, class Choose, class Epilogue>
    static KG_DEVICE void store_output(const FragmentPlace& place, const float (&sums)[columns / 2], Element* output,
                                       const Choose& choose, const Epilogue& epilogue, unsigned char* staging) {
        constexpr int at_a_time = Staged<Element>::columns_at_a_time;
        const int lane = thread_index() % 32;
        KG_UNROLL
        for (int first = 0; first < columns; first += at_a_time) {
            KG_UNROLL
            for (int c = 0; c < at_a_time / 8; ++c) {
                KG_UNROLL
                for (int half = 0; half < 2; ++half) {
                    const int row = lane / 4 + 8 * half, column = 8 * c + lane % 4 * 2;
                    const int64_t i = place.row + row, j = place.column + first + column;
                    const float* const sum = sums + (first / 8 + c) * 4 + 2 * half;
                    Element low = {}, high = {};
                    if (is_whole || (i < place.m && j < place.n)) low = choose(epilogue(i, j, sum[0]));
                    if (is_whole || (i < place.m && j + 1 < place.n)) high = choose(epilogue(i, j + 1, sum[1]));
                    put(staging, row, column, low, high);
                }
            }
            warp_barrier();
            if (is_whole || has_pieces(place, output))
                copy_pieces<is_whole>(staging, place, place.column + first, output);
            else copy_elements(staging, place, place.column + first, output);
            warp_barrier();
        }
    }

    template <bool is_whole, class Choose, class Epilogue>
    static KG_DEVICE void store_outputs(const FragmentPlace&, const float (&)[columns / 2], const Each<>&, const Choose&,
                                        const Epilogue&, unsigned char*) {}
    template <bool is_whole, class First, class... Rest, class Choose, class Epilogue>
    static KG_DEVICE void store_outputs(const FragmentPlace& place, const float (&sums)[columns / 2],
                                        const Each<First*, Rest...>& outputs, const Choose& choose,
                                        const Epilogue& epilogue, unsigned char* staging) {
        const auto choose_first = [&](const auto& all) { return choose(all).first; };
        store_output<is_whole>(place, sums, outputs.first, choose_first, epilogue, staging);
        store_outputs<is_whole>(
            place, sums, outputs.rest, [&](const auto& all) -> const auto& { return choose(all).rest; }, epilogue,
            staging);
    }

    static KG_DEVICE bool are_whole(const FragmentPlace& place, const Each<>&) {
        return place.row + 16 <= place.m && place.column + columns <= place.n;
    }
    template <class First, class... Rest>
    static KG_DEVICE bool are_whole(const FragmentPlace& place, const Each<First*, Rest...>& outputs) {
        return has_pieces(place, outputs.first) && are_whole(place, outputs.rest);
    }

public:
    /// Stores epilogue(i, j, sum), an element of each output. `shared`: bytes_of_warp for each warp. Whole tiles, which
    /// most are, have code of their own without tests of the ends: a short kernel waits for its instructions to be read
    /// from memory, and the fewer it jumps over the better.
    template <class Outputs, class Epilogue>
    static KG_DEVICE void store(const FragmentPlace& place, const float (&sums)[columns / 2], const Outputs& outputs,
                                const Epilogue& epilogue, unsigned char* shared) {
        unsigned char* const staging = shared + thread_index() / 32 * bytes_of_warp;
        const auto all = [](const auto& each) -> const auto& { return each; };
        if (are_whole(place, outputs)) [[likely]] store_outputs<true>(place, sums, outputs, all, epilogue, staging);
        else store_outputs<false>(place, sums, outputs, all, epilogue, staging);
    }
};

}  // namespace kg
