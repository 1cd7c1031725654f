"""Draws frames of cells with ncurses. A byte on the keyboard starts each run of frames; the last one ends it."""

import curses
import json
import locale
import os
import sys

locale.setlocale(locale.LC_ALL, "")
ATTRIBUTES = {
    "bold": curses.A_BOLD,
    "dim": curses.A_DIM,
    "italic": curses.A_ITALIC,
    "underline": curses.A_UNDERLINE,
    "reverse": curses.A_REVERSE,
}


def main(screen):
    curses.curs_set(0)
    curses.typeahead(-1)
    curses.use_default_colors()
    with open(sys.argv[1], encoding="utf-8") as file:
        styles = [worn(number, style) for number, style in enumerate(json.loads(file.readline()))]
        frames = [json.loads(line) for line in file]
    draw(screen, frames[0], styles)
    os.read(0, 1)
    for frame in frames[1:]:
        draw(screen, frame, styles)
    os.read(0, 1)


def worn(number, style):
    look = 0
    for name in style["attributes"]:
        look |= ATTRIBUTES[name]
    if style["ink"] >= 0 or style["ground"] >= 0:
        curses.init_pair(number, style["ink"], style["ground"])
        look |= curses.color_pair(number)
    return look


def draw(screen, rows, styles):
    """`rows` holds the rows that changed: their number and their runs of one style."""
    for row, runs in rows:
        column = 0
        for text, width, style in runs:
            try:
                screen.addstr(row, column, text, styles[style])
            except curses.error:
                # The last cell of the screen is drawn, and then the cursor has nowhere to go.
                pass
            column += width
    screen.refresh()


curses.wrapper(main)
