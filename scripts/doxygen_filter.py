#!/usr/bin/env python3
"""doxygen_filter.py HEADER: the header with its plain comments turned into doxygen's, on standard output.

The headers are commented for people: a line above a declaration, a note behind a field, a dashed title above a section.
Doxygen wants marks on each of these, so they are added here and the headers stay as they are:

    first comment of the file       the file's description
    //---- Title ----               opens a group of functions and variables, with what is said below it
    // text, above a declaration    its description, and that of those that follow without a blank line
    // text, above fields           title of a group of fields, which ends at the next one
    declaration;  // text           description of that field, with its continuation lines
    struct x_ {…}; typedef …        one typedef with the struct in it, so that names lead to it
"""
import re
import sys

TITLE = re.compile(r"^//-{2,} *(.+?) *-+$")
TRAILING = re.compile(r"^(.*[^ /].*?) +// ?(.*)$")
NAMED_LATER = re.compile(r"^struct (\w+)_ \{(.*?)^\};\ntypedef struct \1_ \1;", re.M | re.S)
DECLARATION = re.compile(r"^(MJAPI|typedef|\s*#define) ")


def escape(text):
    """Comment text is plain text, never a command or a tag."""
    return re.sub(r"([\\@&$#<>%\"])", r"\\\1", text)


def split_blocks(lines):
    """Comment-only blocks as lists, other lines as strings."""
    block = []
    for line in lines:
        is_comment = line.lstrip().startswith("//")
        if block and (not is_comment or TITLE.match(line.strip())):
            yield block
            block = []
        if is_comment:
            block.append(line)
        else:
            yield line
    if block:
        yield block


class Filter:
    def __init__(self, name):
        self.name = name
        self.out = []
        self.section = False    # inside a group of functions
        self.fields = False     # inside a group of fields
        self.depth = 0          # of braces: above 0, inside a struct or an enum
        self.column = None      # where the note behind the last declaration began
        self.pending = None     # a comment that waits for what follows
        self.shared = None      # the comment above declarations that follow each other; None: there is none

    def texts(self, block):
        return [escape(line.strip()[2:].strip()) for line in block]

    def close_fields(self):
        if self.fields:
            self.out.append("///@}")
        self.fields = False

    def open_section(self, title, texts):
        self.close_section()
        self.section = True
        self.out += [f"/// @name {escape(title)}", *(f"/// {text}" for text in texts), "///@{"]

    def close_section(self):
        if self.section:
            self.out.append("///@}")
        self.section = False

    def comment(self, block):
        """A block without code: continues a note, or waits for the next line to tell what it is about."""
        if self.column is not None and block[0].index("//") == self.column:
            self.out[-1] += " " + " ".join(self.texts(block))
            return
        title = TITLE.match(block[0].strip())
        if title:
            self.close_fields()
            if self.name in ("mujoco.h", "sinew.h"):
                self.open_section(title.group(1), self.texts(block[1:]))
            return
        self.close_fields()
        self.pending = block

    def place_pending(self, line):
        """What a waiting comment is about shows in the line after it."""
        block, self.pending = self.pending, None
        if not line.strip():
            return
        if self.depth > 0 and TRAILING.match(line):
            self.fields = True
            self.out += ["/// @name " + " ".join(self.texts(block)), "///@{"]
        else:
            self.shared = [f"/// {text}" for text in self.texts(block)]
            self.out += self.shared

    def code(self, line):
        waiting = self.pending is not None
        if waiting:
            self.place_pending(line)
        if not line.strip() or self.depth > 0:
            self.shared = None
        elif self.shared and not waiting and DECLARATION.match(line) and not TRAILING.match(line):
            self.out += self.shared
        if line.lstrip().startswith("}"):
            self.close_fields()
        trailing = TRAILING.match(line)
        self.column = line.index("//") if trailing else None
        code = trailing.group(1) if trailing else line
        self.depth += code.count("{") - code.count("}")
        if 'extern "C"' in code:
            self.depth -= 1
        if self.depth < 0:
            self.depth = 0
        self.out.append(f"{trailing.group(1)}  ///< {escape(trailing.group(2))}" if trailing else line)

    def run(self, lines):
        for number, piece in enumerate(split_blocks(lines)):
            if number == 0 and isinstance(piece, list):
                self.out += ["/** @file", *self.texts(piece), "*/"]
            elif isinstance(piece, list):
                self.comment(piece)
            else:
                if piece.startswith("#ifdef __cplusplus") and self.section:
                    self.close_section()
                self.code(piece)
        self.close_section()
        return "\n".join(self.out) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = NAMED_LATER.sub(r"typedef struct \1_ {\2\n} \1;", file.read())
    sys.stdout.write(Filter(sys.argv[1].rsplit("/", 1)[-1]).run(text.splitlines()))


if __name__ == "__main__":
    main()
