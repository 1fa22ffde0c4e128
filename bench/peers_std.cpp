/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sorts of the C and C++ standard libraries.
 */
#include <algorithm>
#include <cstdlib>

#include "peer_generic.hpp"
#include "peer_list.hpp"
#include "peer_version.hpp"

namespace
{

template <class T> int compare(const void *a, const void *b)
{
    const T &x = *static_cast<const T *>(a);
    const T &y = *static_cast<const T *>(b);
    return static_cast<int>(y < x) - static_cast<int>(x < y);
}

struct c_qsort {
    static constexpr bool every_type = true;

    template <class T> static void sort(T *items, std::size_t count, int)
    {
        if (count != 0) { /* qsort takes no null pointer, not even to nothing */
            std::qsort(items, count, sizeof *items, compare<T>);
        }
    }
};

struct std_sort {
    static constexpr bool every_type = true;

    template <class T> static void sort(T *items, std::size_t count, int)
    {
        std::sort(items, items + count);
    }
};

struct std_stable_sort {
    static constexpr bool every_type = true;

    template <class T> static void sort(T *items, std::size_t count, int)
    {
        std::stable_sort(items, items + count);
    }
};

} // namespace

void peers::add_std(list &peers)
{
    peers.push_back(generic<c_qsort>::entry("qsort", PEER_LIBC " qsort", false, false));
    peers.push_back(generic<std_sort>::entry("std_sort", PEER_LIBCXX " std::sort", false, false));
    peers.push_back(generic<std_stable_sort>::entry("std_stable_sort",
                                                    PEER_LIBCXX " std::stable_sort", true, false));
}
