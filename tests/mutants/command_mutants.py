# SPDX-License-Identifier: Apache-2.0
"""Faults of the command, for mutant_list.py."""

COMMAND = [
    ("npy-first-name-free", "cli/npy_header.c",
     "    for (uint32_t i = 0; i < header->field_count; i++)\n        if (strcmp(",
     "    for (uint32_t i = 1; i < header->field_count; i++)\n        if (strcmp("),
    ("npy-first-of-nested-counts-for-one", "cli/npy_header.c",
     "for (uint32_t i = first; i < reader->header->field_count; i++)",
     "for (uint32_t i = first + 1; i < reader->header->field_count; i++)"),
    ("npy-nested-replace-counts", "cli/npy_header.c",
     "__builtin_mul_overflow(*elements, field->elements, elements))\n"
     "            return npy_bad(reader, \"a smaller subarray\");\n"
     "    }",
     "__builtin_mul_overflow(1, field->elements, elements))\n"
     "            return npy_bad(reader, \"a smaller subarray\");\n"
     "    }"),
    ("npy-padding-is-a-field", "cli/npy_header.c",
     "    if (field->name[0] == '\\0')\n        return true;\n", ""),
    ("npy-latin-name-is-utf8", "cli/npy_string.c",
     "if (escaped || latin ? ", "if (escaped && latin ? "),
    ("npy-quote-ends-behind-backslash", "cli/npy_string.c",
     "static const char letters[] = \"\\\\'\\\"nrt\";", "static const char letters[] = \"\\\\\\\"nrt?\";"),
    ("npy-resize-stays-version-1", "cli/npy_write.c",
     "if (written == 0 && version == 1)", "if (written == 0 && version == 0)"),
]
