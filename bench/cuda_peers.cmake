# SPDX-License-Identifier: Apache-2.0
# The plugin of CUB and Thrust, which come with nvcc. Three minutes of nvcc for one architecture, so
# it is made when asked for: cmake --build BUILD --target consort_bench_cuda_peers. CUDA's runtime is
# linked statically: where it runs only the driver is needed.
if(NOT CONSORT_NVCC)
  message(STATUS "Benchmark peers on GPUs: no nvcc, no CUB and Thrust to compare with")
  return()
endif()

set(cuda_peers_codes "")
foreach(arch ${CONSORT_CUDA_ARCHS})
  list(APPEND cuda_peers_codes -gencode arch=compute_${arch},code=sm_${arch})
endforeach()

# Another CCCL than the toolkit's, such as the newest: its peers are measured in the same run, as NAME@VERSION.
set(CONSORT_BENCH_CCCL "" CACHE PATH
  "A checkout of github.com/NVIDIA/cccl: consort_bench_cccl_peers makes a plugin of its CUB and Thrust")

# libcusort is one header; what sorts with it is a plugin of its own, too.
set(CONSORT_BENCH_LIBCUSORT "" CACHE PATH
  "A checkout of github.com/IlyaGrebnov/libcusort: consort_bench_libcusort_peers makes a plugin of it")

# consort_cuda_peers(PLUGIN SOURCES NAME… OPTIONS OPTION…): libconsort_bench_PLUGIN.so out of NAME.cu….
function(consort_cuda_peers plugin)
  cmake_parse_arguments(ARG "" "" "SOURCES;OPTIONS" ${ARGN})
  set(objects "")
  foreach(name ${ARG_SOURCES})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${plugin}/${name}.o)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CONSORT_NVCC} -c -O3 -std=c++17 ${cuda_peers_codes} ${ARG_OPTIONS}
        -Xcompiler -fPIC,-fvisibility=hidden -I${CMAKE_CURRENT_SOURCE_DIR}
        -I${PROJECT_SOURCE_DIR}/include -MD -MF ${object}.d -MT ${object} -o ${object} ${source}
      DEPENDS ${source} DEPFILE ${object}.d
      COMMENT "Compiling ${name} (${plugin})" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${plugin})
  set(library ${CMAKE_CURRENT_BINARY_DIR}/libconsort_bench_${plugin}.so)
  add_custom_command(OUTPUT ${library}
    COMMAND ${CONSORT_NVCC} -shared -cudart static -Xlinker --exclude-libs,ALL
      -o ${library} ${objects}
    DEPENDS ${objects} COMMENT "Linking the peers on GPUs (${plugin})" VERBATIM)
  add_custom_target(consort_bench_${plugin} DEPENDS ${library})

  # Where an installed `consort bench` looks for it, if it was made.
  install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/consort
    COMPONENT consort-bench OPTIONAL)
endfunction()

set(cccl_sources cuda_peers cuda_peers_radix cuda_peers_radix_narrow cuda_peers_radix_common
  cuda_peers_radix_wide cuda_peers_merge_sort cuda_peers_segmented cuda_peers_merge cuda_peers_top_k
  cuda_peers_thrust)
consort_cuda_peers(cuda_peers SOURCES ${cccl_sources} OPTIONS -DCONSORT_BENCH_OWN_CCCL=0)
if(CONSORT_BENCH_CCCL)
  consort_cuda_peers(cccl_peers SOURCES ${cccl_sources} OPTIONS -DCONSORT_BENCH_OWN_CCCL=1
    -I${CONSORT_BENCH_CCCL}/cub -I${CONSORT_BENCH_CCCL}/thrust
    -I${CONSORT_BENCH_CCCL}/libcudacxx/include)
endif()
if(CONSORT_BENCH_LIBCUSORT)
  # NDEBUG: its own checks of every call are for debugging.
  consort_cuda_peers(libcusort_peers SOURCES libcusort_peers libcusort_peers_pairs
    OPTIONS -DNDEBUG -DCONSORT_BENCH_OWN_CCCL=0 -I${CONSORT_BENCH_LIBCUSORT})
endif()
