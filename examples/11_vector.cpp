// SPDX-License-Identifier: Apache-2.0
// From C++: a type's number from the type itself, and errors as exceptions.
#include <consort.h>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <vector>

template <typename T> constexpr consort_type type_of = 0;
template <> constexpr consort_type type_of<std::int64_t> = CONSORT_I64;
template <> constexpr consort_type type_of<float> = CONSORT_F32;
template <> constexpr consort_type type_of<double> = CONSORT_F64;

template <typename T> void sort(std::vector<T> &values)
{
    static_assert(type_of<T> != 0, "add this type to the list above");
    if (consort_sort(values.data(), values.data(), values.size(), type_of<T>, nullptr) !=
        CONSORT_OK)
        throw std::runtime_error(consort_last_error()->message);
}

template <typename T> void print(const std::vector<T> &values)
{
    const char *separator = "";
    for (const T &value : values) {
        std::cout << separator << value;
        separator = " ";
    }
    std::cout << '\n';
}

int main()
{
    std::vector<double> reals{2.5, -1e9, 0.125};
    std::vector<std::int64_t> integers{7, INT64_MIN, -1, INT64_MAX, 0};
    sort(reals);
    sort(integers);
    print(reals);
    print(integers);
}
