"""A bot that plays at random from its own program, for an arena at the URL, with the token in the file, under the name.

In the second turn of a game it says so by a file asked, and waits while there is a file hold. While there is a file broken, it raises
an exception.
"""

import pathlib
import sys
import time

from fivethreefive import Random
from fivethreefive_remote import run

HOLD, ASKED, BROKEN = map(pathlib.Path, ("hold", "asked", "broken"))


class Drawn:
    def __init__(self):
        self.drawn = self.turns = 0
        self.plays = 0  # own ones, as the events tell

    def start(self, start):
        self.random = Random(start.seed)

    def act(self, turn):
        if BROKEN.exists():
            raise RuntimeError("broken on purpose")
        self.turns += 1
        if self.turns == 2 and HOLD.exists():
            ASKED.touch()
            while HOLD.exists():
                time.sleep(0.005)
            ASKED.unlink(missing_ok=True)
        self.plays += sum(e.type == "play" and e.seat == turn.seat and e.by != "arena" for e in turn.events)
        while self.drawn < self.plays:  # in a game that is begun anew
            self.random.next()
            self.drawn += 1
        self.drawn += 1
        return turn.legal[self.random.below(len(turn.legal))]


server, creds, name = sys.argv[1:]
run(Drawn, server=server, creds=creds, name=name, version="1")
