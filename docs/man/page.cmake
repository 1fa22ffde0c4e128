# SPDX-License-Identifier: Apache-2.0
# One man page: SOURCE with @OPTIONS@ and @VERSION@ filled in, converted by GO_MD2MAN to TARGET.
cmake_minimum_required(VERSION 3.25)
file(READ ${SOURCE} page)
if(page MATCHES "@OPTIONS@")
  execute_process(COMMAND ${COMMAND} help-markdown ${SUBCOMMAND}
    OUTPUT_VARIABLE options COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "@OPTIONS@" "${options}" page "${page}")
endif()
string(REPLACE "@VERSION@" "${VERSION}" page "${page}")
file(WRITE ${TARGET}.md "${page}")
execute_process(COMMAND ${GO_MD2MAN} -in ${TARGET}.md -out ${TARGET} COMMAND_ERROR_IS_FATAL ANY)
