/* SPDX-License-Identifier: Apache-2.0 */
/* Every number, layout and argument list of cuda_api.h against NVIDIA's cuda.h: compiles or not. */
#include <array>
#include <cstddef>
#include <cstdint>
#include <cuda.h>

#undef CU_STREAM_LEGACY
#undef CU_STREAM_PER_THREAD

namespace ours
{
#include "cuda_api.h"
}

/* cuda_api_names.inc: SAME_NUMBER(name) for every enumerator, written by CMake. */
#define SAME_NUMBER(name)                                                                          \
    static_assert(static_cast<int>(ours::name) == static_cast<int>(name), #name);
#include "cuda_api_names.inc"

static_assert(
    static_cast<int>(ours::CUDA_HOST_ALLOC_PORTABLE) == CU_MEMHOSTALLOC_PORTABLE &&
        static_cast<int>(ours::CUDA_HOST_ALLOC_WRITE_COMBINED) == CU_MEMHOSTALLOC_WRITECOMBINED &&
        static_cast<int>(ours::CUDA_HOST_REGISTER_PORTABLE) == CU_MEMHOSTREGISTER_PORTABLE &&
        static_cast<int>(ours::CUDA_HOST_REGISTER_READ_ONLY) == CU_MEMHOSTREGISTER_READ_ONLY,
    "flags");

#define SAME_SIZE(type)                                                                            \
    static_assert(sizeof(ours::type) == sizeof(type) && alignof(ours::type) <= alignof(type), #type)
#define SAME_PLACE(type, member)                                                                   \
    static_assert(offsetof(ours::type, member) == offsetof(type, member), #member)
SAME_SIZE(CUuuid);
SAME_SIZE(CUmemLocation);
SAME_SIZE(CUmemAccessDesc);
SAME_SIZE(CUmemPoolProps);
SAME_PLACE(CUmemPoolProps, maxSize);
SAME_PLACE(CUmemPoolProps, usage);
SAME_SIZE(CUlaunchAttributeValue);
SAME_SIZE(CUlaunchAttribute);
SAME_PLACE(CUlaunchAttribute, value);
SAME_SIZE(CUlaunchConfig);
SAME_PLACE(CUlaunchConfig, sharedMemBytes);
SAME_PLACE(CUlaunchConfig, hStream);
SAME_PLACE(CUlaunchConfig, attrs);
SAME_PLACE(CUlaunchConfig, numAttrs);

template <typename Result, typename... Arguments>
constexpr std::array<size_t, sizeof...(Arguments) + 1> sizes(Result (*)(Arguments...))
{
    return {sizeof(Result), sizeof(Arguments)...};
}

template <size_t Count, size_t Other>
constexpr bool same(const std::array<size_t, Count> &a, const std::array<size_t, Other> &b)
{
    if (Count != Other)
        return false;
    for (size_t i = 0; i < Count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

#define SAME_CALL(name, symbol, arguments)                                                         \
    static_assert(same(sizes(static_cast<decltype(&symbol)>(nullptr)),                             \
                       sizes(static_cast<ours::CUresult(*) arguments>(nullptr))),                  \
                  #symbol);

namespace ours
{
CUDA_CALLS(SAME_CALL)
}

int main()
{
    return 0;
}
