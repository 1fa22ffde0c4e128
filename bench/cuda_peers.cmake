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

set(cuda_peers_objects "")
foreach(name cuda_peers cuda_peers_radix cuda_peers_radix_narrow cuda_peers_radix_common
    cuda_peers_radix_wide cuda_peers_merge_sort cuda_peers_segmented cuda_peers_merge
    cuda_peers_top_k cuda_peers_thrust)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CONSORT_NVCC} -c -O3 -std=c++17 ${cuda_peers_codes}
      -Xcompiler -fPIC,-fvisibility=hidden -I${CMAKE_CURRENT_SOURCE_DIR}
      -I${PROJECT_SOURCE_DIR}/include -MD -MF ${object}.d -MT ${object} -o ${object} ${source}
    DEPENDS ${source} DEPFILE ${object}.d
    COMMENT "Compiling ${name}" VERBATIM)
  list(APPEND cuda_peers_objects ${object})
endforeach()

set(cuda_peers_plugin ${CMAKE_CURRENT_BINARY_DIR}/libconsort_bench_cuda_peers.so)
add_custom_command(OUTPUT ${cuda_peers_plugin}
  COMMAND ${CONSORT_NVCC} -shared -cudart static -Xlinker --exclude-libs,ALL
    -o ${cuda_peers_plugin} ${cuda_peers_objects}
  DEPENDS ${cuda_peers_objects} COMMENT "Linking the peers on GPUs" VERBATIM)
add_custom_target(consort_bench_cuda_peers DEPENDS ${cuda_peers_plugin})

# Where an installed `consort bench` looks for it, if it was made.
install(FILES ${cuda_peers_plugin} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/consort
  COMPONENT consort-bench OPTIONAL)
