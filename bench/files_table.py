# SPDX-License-Identifier: Apache-2.0
"""For table.py: sorts of files beside their parts, as files.py measures them."""

HEAD = ["file", "GB", "read, s", "sort, s", "write, s", "consort sort, s", "of the sum"]
PARTS = ("read", "sort", "write", "file")


def table(document, _):
    """Head and rows."""
    rows = [[row["file"], f"{row['bytes'] / 1e9:.2f}"] +
            [f"{row[part + '_seconds']:.2f}" for part in PARTS] + [f"{row['ratio']:.2f}"]
            for row in document["files"]]
    return HEAD, rows
