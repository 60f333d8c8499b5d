// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions without strides: the threads of a block go down an image together. Rows are on their way to
// shared memory while a thread adds others to the sums of a few rows of the result, which it has in registers.
// docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// `count` in equal parts of at most `most`: the size of a part.
KG_DEVICE unsigned equal_part(unsigned count, unsigned most) {
    const unsigned parts = (count + most - 1) / most;
    return (count + parts - 1) / parts;
}

/// Kernels of `taps_down` by `taps_across`. A thread has `vec` elements beside one another of `strip` rows: of an image's
/// row, or where channels come last of a pixel. `stages - 1` rows are on their way.
template <class T, class Storage, class Window, int taps_down, int taps_across, int vec, int strip, int warps, int stages>
class SlidingWindows {
    static constexpr bool last = Window::is_channels_last;
    static constexpr int threads = 32 * warps, padding = static_cast<int>(Window::padding);
    static constexpr int most_channels = 16;  ///< of a block, in pieces
    static constexpr int pieces_of_thread = 2;  ///< that shared memory has room for, of a row
    using Piece = Pack<Storage, vec>;
    /// In steps of a piece along an image's row: how many lie before the first that belongs to the first element, and
    /// how many an element's window needs; where channels follow each other a piece is wider than a pixel.
    static constexpr int before = last ? padding : ceiling(padding, vec), shift = before * vec - padding;
    static constexpr int pieces = last ? taps_across : (shift + vec + taps_across - 2) / vec + 1;
    static constexpr int weights = taps_down * taps_across * (last ? vec : 1);

    /// How a block's threads share the result: `channels` pieces of `steps` along the rows of `lines` strips.
    struct Share {
        unsigned channels, steps, lines, length, strips;  ///< rows of a strip, and strips of an image
        unsigned channel_tiles, step_tiles;
        int64_t all_lines, tiles;
    };
    static KG_DEVICE Share share_of(const Window& window, int64_t rows) {
        const auto width = static_cast<unsigned>(window.out_width), height = static_cast<unsigned>(window.out_height);
        const unsigned channel_pieces = last ? (static_cast<unsigned>(window.channels) + vec - 1) / vec : 1;
        const unsigned width_pieces = last ? width : (width + vec - 1) / vec;
        Share share;
        share.channels = equal_part(channel_pieces, most_channels);
        share.steps = equal_part(width_pieces, threads / share.channels);
        // The rows of two pieces a thread have room in shared memory.
        const unsigned room = pieces_of_thread * threads / (share.channels * (share.steps + pieces - 1));
        share.lines = threads / (share.channels * share.steps);
        if (room < share.lines) share.lines = room;
        share.length = equal_part(height, strip);
        share.strips = (height + share.length - 1) / share.length;
        share.channel_tiles = (channel_pieces + share.channels - 1) / share.channels;
        share.step_tiles = (width_pieces + share.steps - 1) / share.steps;
        share.all_lines = quotient(last ? quotient(rows, width) : rows, height) * share.strips;
        share.tiles = quotient(share.all_lines + share.lines - 1, share.lines) * share.step_tiles * share.channel_tiles;
        return share;
    }

    const Window& window_;
    const Storage* image_;
    Share share_;
    unsigned channel_, step_, line_;  ///< of this thread, in its block
    bool has_line_;
    // Of the tile:
    bool exists_;
    int64_t plane_, first_row_, pixel_;  ///< an image or its channel, a row of the result, and a piece of its row
    unsigned first_channel_;
    const Storage* next_;  ///< this thread's first piece of the row that is copied next
    unsigned copied_;      ///< a bit for each of its pieces that lies in the image
    int rows_left_;        ///< of the strip, that are not stored yet
    int64_t row_, place_;  ///< of the result, that is stored next, and its element's place

    KG_DEVICE SlidingWindows(const Window& window, int64_t rows, const Storage* image)
        : window_(window), image_(image), share_(share_of(window, rows)) {
        const unsigned thread = static_cast<unsigned>(thread_index()), place = thread / share_.channels;
        channel_ = thread - place * share_.channels;
        line_ = place / share_.steps;
        step_ = place - line_ * share_.steps;
        has_line_ = line_ < share_.lines;
        if (!has_line_) line_ = 0;
    }

    KG_DEVICE void go_to(int64_t tile) {
        const int64_t place = quotient(tile, share_.channel_tiles), group = quotient(place, share_.step_tiles);
        const int64_t line = group * share_.lines + line_;
        first_channel_ = static_cast<unsigned>(tile - place * share_.channel_tiles) * share_.channels;
        pixel_ = (place - group * share_.step_tiles) * share_.steps + step_;
        plane_ = quotient(line, share_.strips);
        first_row_ = (line - plane_ * share_.strips) * share_.length;
        exists_ = has_line_ && line < share_.all_lines;
        const int64_t channel = int64_t{first_channel_ + channel_} * vec, x = (pixel_ - before) * (last ? 1 : vec);
        const int64_t pixel = (plane_ * window_.height + first_row_ - padding) * window_.width + x;
        next_ = image_ + (last ? pixel * window_.channels + channel : pixel);
        copied_ = 0;
        KG_UNROLL
        for (int i = 0; i < pieces; ++i) {
            const bool is_inside = Window::is_inside(x + int64_t{further(i)} * (last ? 1 : vec), window_.width);
            if (is_inside && (!last || channel < window_.channels)) copied_ |= 1u << i;
        }
        const int64_t rows = window_.out_height - first_row_, row = plane_ * window_.out_height + first_row_;
        const bool has_results = exists_ && (!last || pixel_ < window_.out_width) && column() < columns();
        rows_left_ = !has_results ? 0 : rows < share_.length ? static_cast<int>(rows) : static_cast<int>(share_.length);
        row_ = last ? row * window_.out_width + pixel_ : row;
        place_ = row_ * columns() + column();
    }
    KG_DEVICE int64_t columns() const { return last ? window_.kernels : window_.out_width; }
    /// Of this thread's first element in its row of the result.
    KG_DEVICE int64_t column() const { return (last ? int64_t{first_channel_ + channel_} : pixel_) * vec; }
    /// Steps from a thread's first piece of a row to its i-th one.
    KG_DEVICE unsigned further(int i) const { return i * share_.steps; }
    KG_DEVICE bool has_piece(int i) const { return step_ + further(i) < share_.steps + pieces - 1; }

    /// Elements of a row of the windows of all lines, and where in it this thread's first piece lies.
    KG_DEVICE unsigned row_size() const { return share_.lines * (share_.steps + pieces - 1) * share_.channels * vec; }
    KG_DEVICE unsigned place_in_row() const {
        return ((line_ * (share_.steps + pieces - 1) + step_) * share_.channels + channel_) * vec;
    }

    /// Begins to copy this thread's pieces of row `row` of the tile's windows.
    template <bool is_whole>
    KG_DEVICE void copy_row(unsigned row, Storage* to) {
        const bool has_row = Window::is_inside(first_row_ - padding + row, window_.height);
        KG_UNROLL
        for (int i = 0; i < pieces; ++i) {
            if ((i > 1 && share_.steps >= pieces - 1) || !has_piece(i)) break;
            Storage* const place = to + further(i) * share_.channels * vec;
            const Storage* const from = next_ + int64_t{further(i)} * (last ? window_.channels : vec);
            if constexpr (is_whole)
                copy_or_clear_in_shared<Piece::bytes>(place, from, has_row && (copied_ >> i & 1) != 0);
            else copy_elements(place, from, i, has_row);
        }
        next_ += window_.width * (last ? window_.channels : 1);
    }
    KG_DEVICE void copy_elements(Storage* to, const Storage* from, int i, bool has_row) const {
        const int64_t channel = int64_t{first_channel_ + channel_} * vec;
        const int64_t x = (pixel_ - before + further(i)) * (last ? 1 : vec);
        KG_UNROLL
        for (int e = 0; e < vec; ++e) {
            const bool is_inside = has_row && Window::is_inside(last ? x : x + e, window_.width) &&
                                   (!last || channel + e < window_.channels);
            to[e] = is_inside ? from[e] : Storage(0);
        }
    }

    /// The weights of the thread's elements: where channels come last through shared memory, behind the rows.
    template <class Kernels>
    KG_DEVICE void read_weights(const Kernels& kernels, T (&to)[weights]) const {
        constexpr int taps = taps_down * taps_across;
        if constexpr (last) {
            T* const staged = reinterpret_cast<T*>(launched_shared_memory() + stages * taps_down * pieces_of_thread * threads * Piece::bytes);
            const int64_t first = int64_t{first_channel_} * vec;
            const int channels = static_cast<int>(share_.channels) * vec;
            for (int i = thread_index(); i < channels * taps; i += threads) {
                const int channel = i / taps, tap = i % taps;
                staged[tap * channels + channel] =
                    first + channel < window_.channels ? kernels((first + channel) * taps + tap, 0) : T(0);
            }
            block_barrier();
            KG_UNROLL
            for (int i = 0; i < weights; ++i) to[i] = staged[i / vec * channels + channel_ * vec + i % vec];
        } else {
            const int64_t kernel = exists_ ? plane_ % window_.channels : 0;
            KG_UNROLL
            for (int i = 0; i < weights; ++i) to[i] = kernels(kernel * taps_down + i / taps_across, i % taps_across);
        }
    }

    /// Adds a row to the sums of the rows of the result whose windows have it: those of row `phase` - r are sums
    /// number `phase` - r.
    template <int phase>
    KG_DEVICE void add_row(const Storage* from, const T (&weight)[weights], T (&sums)[taps_down][vec]) const {
        Piece piece[pieces];
        KG_UNROLL
        for (int i = 0; i < pieces; ++i)
            piece[i] = *reinterpret_cast<const Piece*>(from + i * share_.channels * vec);
        KG_UNROLL
        for (int s = 0; s < taps_across; ++s) {
            KG_UNROLL
            for (int e = 0; e < vec; ++e) {
                const T value = last ? piece[s].template value<T>(e)
                                     : piece[(shift + e + s) / vec].template value<T>((shift + e + s) % vec);
                KG_UNROLL
                for (int r = 0; r < taps_down; ++r) {
                    const T factor = weight[(r * taps_across + s) * (last ? vec : 1) + (last ? e : 0)];
                    T& sum = sums[(phase - r + taps_down) % taps_down][e];
                    sum = r == 0 && s == 0 ? value * factor : sum + value * factor;
                }
            }
        }
    }

    /// Stores this thread's elements of the next row.
    template <bool is_whole, class Outputs, class Epilogue>
    KG_DEVICE void store(const T (&sums)[vec], const Outputs& outputs, const Epilogue& epilogue) {
        if (rows_left_-- <= 0) return;
        const int64_t j = column();
        if constexpr (is_whole) {
            store_packs(outputs, place_, [&](int e) { return epilogue(row_, j + e, sums[e]); });
        } else {
            KG_UNROLL
            for (int e = 0; e < vec; ++e) {
                if (j + e < columns()) store_each(outputs, epilogue(row_, j + e, sums[e]), place_ + e);
            }
        }
        row_ += last ? window_.out_width : 1;
        place_ += columns() * (last ? window_.out_width : 1);
    }
    template <class Choose>
    static KG_DEVICE void store_packs(const Each<>&, int64_t, const Choose&) {}
    template <class First, class... Rest, class Choose>
    static KG_DEVICE void store_packs(const Each<First*, Rest...>& outputs, int64_t place, const Choose& choose) {
        First elements[vec];
        KG_UNROLL
        for (int e = 0; e < vec; ++e) elements[e] = choose(e).first;
        Pack<First, vec> pack;
        pack.take(elements);
        pack.template store<cache_default>(outputs.first + place);
        store_packs(outputs.rest, place, [&](int e) { return choose(e).rest; });
    }

    template <bool is_whole, class Kernels, class Outputs, class Epilogue>
    KG_DEVICE void slide(const Kernels& kernels, const Outputs& outputs, const Epilogue& epilogue) {
        const unsigned rows = share_.length + taps_down - 1, size = row_size();
        Storage* const ring = reinterpret_cast<Storage*>(launched_shared_memory()) + place_in_row();
        const auto copy = [&](unsigned first, unsigned slot) {
            KG_UNROLL
            for (int r = 0; r < taps_down; ++r) {
                if (exists_ && first + r < rows) copy_row<is_whole>(first + r, ring + (slot * taps_down + r) * size);
            }
            end_of_group_of_copies();
        };
        block_barrier();  // the rows and the weights of the tile before are read
        for (unsigned slot = 0; slot < stages - 1; ++slot) copy(slot * taps_down, slot);
        T weight[weights], sums[taps_down][vec] = {};
        read_weights(kernels, weight);
        unsigned slot = 0;
        for (unsigned first = 0; first < rows; first += taps_down) {
            wait_for_copies<stages - 2>();
            block_barrier();
            copy(first + (stages - 1) * taps_down, slot == 0 ? stages - 1 : slot - 1);
            const auto add = [&]<int phase>() {
                if (first + phase >= rows) return;
                add_row<phase>(ring + (slot * taps_down + phase) * size, weight, sums);
                if (phase == taps_down - 1 || first > 0)
                    store<is_whole>(sums[(phase + 1) % taps_down], outputs, epilogue);
            };
            each_phase(add);
            slot = slot + 1 == stages ? 0 : slot + 1;
        }
    }
    template <int phase = 0, class Add>
    static KG_DEVICE void each_phase(const Add& add) {
        add.template operator()<phase>();
        if constexpr (phase + 1 < taps_down) each_phase<phase + 1>(add);
    }

    static KG_DEVICE bool are_aligned(const Each<>&) { return true; }
    template <class First, class... Rest>
    static KG_DEVICE bool are_aligned(const Each<First*, Rest...>& outputs) {
        return is_aligned(outputs.first, Pack<First, vec>::alignment) && are_aligned(outputs.rest);
    }

public:
    /// Stores epilogue(i, j, Σ image · kernel), an element of each output, for `rows` rows. kernels(row, column) gives
    /// elements of the kernels' rows.
    template <class Kernels, class Outputs, class Epilogue>
    static KG_DEVICE void run(const Window& window, int64_t rows, const Storage* image, const Kernels& kernels,
                              const Outputs& outputs, const Epilogue& epilogue) {
        SlidingWindows self(window, rows, image);
        const bool is_whole = Piece::bytes >= 4 && Piece::bytes % 4 == 0 && Piece::bytes <= 16 &&
                              (last ? window.channels : window.width) % vec == 0 &&
                              (last || window.out_width % vec == 0) && is_aligned(image, Piece::alignment) &&
                              are_aligned(outputs);
        for (int64_t tile = block_index(); tile < self.share_.tiles; tile += block_count()) {
            self.go_to(tile);
            if constexpr (Piece::bytes >= 4) {
                if (is_whole) {
                    self.template slide<true>(kernels, outputs, epilogue);
                    continue;
                }
            }
            self.template slide<false>(kernels, outputs, epilogue);
        }
    }
};

/// Stores epilogue(i, j, Σ image · kernel), an element of each output, for `rows` rows of the result.
template <class T, int taps_down, int taps_across, int vec, int strip, int warps, int stages, class Window, class Storage,
          class Kernels, class Outputs, class Epilogue>
KG_DEVICE void sliding_windows(const Window& window, int64_t rows, const Storage* image, const Kernels& kernels,
                               const Outputs& outputs, const Epilogue& epilogue) {
    using Windows = SlidingWindows<T, Storage, Window, taps_down, taps_across, vec, strip, warps, stages>;
    Windows::run(window, rows, image, kernels, outputs, epilogue);
}

}  // namespace kg
