# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# info: text for people, JSON for programs, of the same things.
consort info | grep -E '^[A-Z]' | cut -d '(' -f 1
consort info --json | "$PYTHON" -c '
import json, sys
info = json.load(sys.stdin)
print(sorted(info), info["engines"][0]["name"])
print([(device["name"], device["usable"]) for device in info["devices"]])
sort = [a for a in info["algorithms"] if a["operation"] == "sort" and a["name"] == "merge"]
print(len(sort), sort[0]["engine"], sort[0]["stable"], sort[0]["quadratic"])
print(len(info["distributions"]), info["distributions"][0]["name"])
'
consort --version | grep -cE '^(consort|compiler:)'
