# SPDX-License-Identifier: Apache-2.0
# Short names for the common jobs. What they do stands in scripts/; the build itself is CMake's.
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: build demo check check-all lint coverage install format clean help

build: ## build the library and the command (build/release)
	@scripts/build.sh

demo: ## on a fresh machine: packages, build, then sort a file and check it
	@scripts/demo.sh

check: ## every fast test in every build, and the rules of the house
	@scripts/check.sh fast

check-all: ## the slow tests too, and the coverage report
	@scripts/check.sh all

lint: ## formatting, shell scripts, rules of the house
	@scripts/lint.sh

coverage: ## which lines of src/ the tests reach (build/coverage/report)
	@scripts/coverage.sh

install: build ## install below PREFIX; DESTDIR is put in front
	@DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

format: ## reformat C, C++ and CUDA sources
	@scripts/lint.sh --format

clean: ## remove everything that was built
	@rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | column -t -s '|'
