// SPDX-License-Identifier: Apache-2.0
// Values of 8 bits in the order in which tensor cores read them: along the columns, which wgmma of 8 bits asks for.
#pragma once

namespace kg {

/// Where column `column` of a block lies among the bytes of an element: of each 16, lane t of a row reads bytes 4 t to
/// 4 t + 3, and has the weights of columns 2 t, 2 t + 1, 2 t + 8 and 2 t + 9.
KG_DEVICE int place_of_value(int column) {
    const int in_16 = column % 16;
    return column - in_16 + in_16 % 8 / 2 * 4 + in_16 / 8 * 2 + in_16 % 2;
}

/// Byte i of word j becomes byte j of word i.
KG_DEVICE void exchange_bytes(uint32_t (&words)[4]) {
    const uint32_t low = bytes_of(words[0], words[1], 0x5140), high = bytes_of(words[0], words[1], 0x7362);
    const uint32_t next_low = bytes_of(words[2], words[3], 0x5140), next_high = bytes_of(words[2], words[3], 0x7362);
    words[0] = bytes_of(low, next_low, 0x5410);
    words[1] = bytes_of(low, next_low, 0x7632);
    words[2] = bytes_of(high, next_high, 0x5410);
    words[3] = bytes_of(high, next_high, 0x7632);
}

/// Turns the values of heads [columns, size] into tiles of 128 columns: `head` rows, one for each element, of 128 bytes
/// that are swizzled as in a panel (SwizzledMatrix), zeros where there is none. A block of 256 threads makes one tile.
template <int head, class Storage>
class ValueTile {
    static constexpr int threads = 256, words = head / 4;  ///< of a column

    struct Columns {
        uint32_t word[128][32];
    };
    /// Columns whose bytes go to different pieces have a word in different banks.
    static KG_DEVICE uint32_t& word_of(Columns& all, int place, int word) { return all.word[place][word ^ (place / 16 * 4)]; }

    static KG_DEVICE uint32_t read_word(const Storage* column, int64_t d, int64_t size) {
        uint32_t word = 0;
        if (size % 4 == 0 && reinterpret_cast<uint64_t>(column) % 4 == 0) {
            if (d < size) read_words<cache_default, 1>(column + d, &word);
        } else {
            for (int each = 0; each < 4; ++each)
                if (d + each < size) word |= uint32_t{column[d + each].code} << (8 * each);
        }
        return word;
    }

public:
    static KG_DEVICE void make(const Storage* values, int8_t* tiles, int64_t columns, int64_t size) {
        Columns& all = in_shared_memory<Columns>();
        const unsigned of_head = static_cast<unsigned>((columns + 127) / 128), number = block_index();
        const int64_t first = number % of_head * 128;
        const Storage* const from = values + (number / of_head * columns + first) * size;
        for (int i = thread_index(); i < 128 * words; i += threads) {
            const int column = i / words, word = i % words;
            word_of(all, place_of_value(column), word) =
                first + column < columns ? read_word(from + column * size, 4 * word, size) : 0;
        }
        block_barrier();
        int8_t* const to = tiles + int64_t{number} * 128 * head;
        for (int i = thread_index(); i < 8 * words; i += threads) {
            const int piece = i % 8, word = i / 8;
            uint32_t pieces[4][4];  // of four elements
            KG_UNROLL
            for (int quarter = 0; quarter < 4; ++quarter) {
                uint32_t four[4];
                KG_UNROLL
                for (int each = 0; each < 4; ++each) four[each] = word_of(all, 16 * piece + 4 * quarter + each, word);
                exchange_bytes(four);
                KG_UNROLL
                for (int each = 0; each < 4; ++each) pieces[each][quarter] = four[each];
            }
            KG_UNROLL
            for (int each = 0; each < 4; ++each)
                write_words<cache_default, 4>(to + swizzled((4 * word + each) * 128 + piece * 16), pieces[each]);
        }
    }
};

template <int head, class Storage>
KG_DEVICE void make_value_tile(const Storage* values, int8_t* tiles, int64_t columns, int64_t size) {
    ValueTile<head, Storage>::make(values, tiles, columns, size);
}

}  // namespace kg
