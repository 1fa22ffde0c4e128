# SPDX-License-Identifier: Apache-2.0
# GPU kernels: nvcc makes one fatbin of each algorithm's NAME.cu, which the library embeds. Without
# nvcc the table holds empty images: a GPU refuses them, the emulator takes them by name.
#
# consort_embed_kernels(VARIABLE NAME…): VARIABLE is the C source with the table of all images.
include_guard(GLOBAL)
set(CONSORT_CUDA_ARCHS "80;90;100" CACHE STRING
  "Compute capabilities to build GPU kernels for; the last one is embedded as PTX too")
find_program(CONSORT_NVCC nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda/bin
  DOC "CUDA compiler for the GPU kernels; without it the library runs on the CPU only")
set(CONSORT_NVCC_OPTIMISATION "-O3" CACHE STRING "How hard nvcc works on GPU kernels")
set(CONSORT_NVCC_COMPRESSION size CACHE STRING "How nvcc packs GPU kernels: its --compress-mode")
option(CONSORT_BUILD_KERNELS "Compile GPU kernels if nvcc is there" ON)

if(CONSORT_NVCC AND CONSORT_BUILD_KERNELS)
  list(JOIN CONSORT_CUDA_ARCHS " " archs)
  set(CONSORT_KERNELS_BUILT "sm ${archs}")
  foreach(arch ${CONSORT_CUDA_ARCHS})
    list(APPEND kernels_codes -gencode arch=compute_${arch},code=sm_${arch})
  endforeach()
  list(GET CONSORT_CUDA_ARCHS -1 last)
  list(APPEND kernels_codes -gencode arch=compute_${last},code=compute_${last})
else()
  set(CONSORT_KERNELS_BUILT "none (built without nvcc)")
endif()
message(STATUS "GPU kernels: ${CONSORT_KERNELS_BUILT}")

# consort_compile_kernels(IMAGE SOURCE): a rule that makes the fatbin IMAGE.
function(consort_compile_kernels image source)
  if(CONSORT_NVCC AND CONSORT_BUILD_KERNELS)
    get_filename_component(name ${source} NAME)
    add_custom_command(OUTPUT ${image}
      COMMAND ${CONSORT_NVCC} -fatbin ${CONSORT_NVCC_OPTIMISATION} -std=c++17 ${kernels_codes} --threads 2
        --compress-mode=${CONSORT_NVCC_COMPRESSION}
        -I${PROJECT_SOURCE_DIR}/src -MD -MF ${image}.d -MT ${image} -o ${image} ${source}
      DEPENDS ${source} DEPFILE ${image}.d
      COMMENT "Compiling GPU kernels of ${name}" VERBATIM)
  else()
    # What the emulator takes for an image of ours.
    file(WRITE ${image} "consort: no kernels")
  endif()
endfunction()

function(consort_embed_kernels variable)
  set(folder ${PROJECT_BINARY_DIR}/kernels)
  file(MAKE_DIRECTORY ${folder})
  set(table ${folder}/kernels_table.c)
  set(images "")
  set(rows "")
  foreach(name ${ARGN})
    set(image ${folder}/${name}.fatbin)
    set(source ${PROJECT_SOURCE_DIR}/src/cuda/sorts/${name}/${name}.cu)
    consort_compile_kernels(${image} ${source})
    list(APPEND images ${image})
    string(APPEND rows "IMAGE(${name}, \"${image}\")\n")
    string(APPEND table_rows "    {\"${name}\", kernels_${name}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${table} CONTENT [[
/* Written by cmake/kernels.cmake: the embedded GPU kernels. */
#include "cuda/driver/kernels.h"

#define IMAGE(name, file)                                                                          \
    extern const unsigned char kernels_##name[] __attribute__((visibility("hidden")));             \
    __asm__(".pushsection .rodata\n.balign 64\n.hidden kernels_" #name "\n.globl kernels_" #name  \
            "\nkernels_" #name ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n");

@rows@
const struct kernels_image kernels_images[] = {
@table_rows@};

const uint32_t kernels_image_count = sizeof kernels_images / sizeof kernels_images[0];
]] @ONLY)
  set_source_files_properties(${table} PROPERTIES OBJECT_DEPENDS "${images}")
  set(${variable} ${table} PARENT_SCOPE)
endfunction()
