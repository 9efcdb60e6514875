"""Makes a bot for Five Three Five Arena out of a strategy. It needs nothing but Python 3.9.

See https://github.com/fivethreefive/fivethreefive/tree/main/sdk/python#readme
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass, field
from types import SimpleNamespace

RANKS = (1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15)


@dataclass(frozen=True)
class Action:
    """A type, "lead", "overwrite", "add" or "pass", with the cards played in ascending order."""

    type: str = "pass"
    cards: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return "pass" if self.type == "pass" else f"{self.type} [{' '.join(map(str, self.cards))}]"


class Record(SimpleNamespace):
    """An object of the protocol, with its fields as attributes; those that it does not have are None."""

    def __getattr__(self, name: str) -> None:
        return None


@dataclass(frozen=True)
class Turn:
    """What the seat may know. legal is never empty, and whatever is in it may be returned."""

    game: str = ""
    turn: int = 0
    seat: int = 0
    round: int = 0
    half: int = 0
    hand: list[int] = field(default_factory=list)
    meld: list[int] = field(default_factory=list)
    meld_seat: int = -1
    counts: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    undealt: int = 0
    events: list[Record] = field(default_factory=list)
    legal: list[Action] = field(default_factory=list)
    clock: Record = field(default_factory=lambda: Record(move_ms=0, bank_ms=0))
    read_at: float = field(default_factory=time.monotonic)

    def time_left_ms(self) -> float:
        """Milliseconds until the turn is lost, the bank included; not below 0."""
        return max(0.0, self.clock.move_ms + self.clock.bank_ms - (time.monotonic() - self.read_at) * 1000)

    def log(self, text: object) -> None:
        """Writes a line to stderr that names the game and the turn."""
        _log(self.game, self.turn, text)


@dataclass(frozen=True)
class Meld:
    """Kind "single", "set" or "run"."""

    kind: str
    low: int
    size: int


def meld(cards: list[int]) -> Meld | None:
    """The meld that the cards form, in whatever order, or None. No run crosses 5-7, 9-11 or 15-1."""
    size, low = len(cards), min(cards, default=0)
    if size > 1 and sorted(cards) == list(range(low, low + size)) and set(cards) <= set(RANKS):
        return Meld("run", low, size)
    if low in RANKS and set(cards) == {low}:
        return Meld("set" if size > 1 else "single", low, size)
    return None


def strength(cards: list[int]) -> int:
    """Higher beats lower among melds of one kind and size: the rank, and in a run 16 - its lowest. 0 for no meld."""
    m = meld(cards)
    return 0 if m is None else 16 - m.low if m.kind == "run" else m.low


def beats(cards: list[int], other: list[int]) -> bool:
    """Whether a meld may overwrite another by equal kind and size and greater strength."""
    a, b = meld(cards), meld(other)
    return bool(a and b and (a.kind, a.size) == (b.kind, b.size) and strength(cards) > strength(other))


def points(cards: list[int]) -> int:
    """Penalty points: 3 for a 1 or 15, 5 for an 8, 2 for 11 to 14, 1 for any other card."""
    return sum(3 if c in (1, 15) else 5 if c == 8 else 2 if c > 10 else 1 for c in cards)


class Random:
    """Numbers that are the same in all SDKs for the same seed: Marsaglia's xorshift128."""

    def __init__(self, seed: int) -> None:
        self._words = seed & 0xFFFFFFFF, seed >> 32, 0x9E3779B9, 0x7F4A7C15
        for _ in range(16):
            self.next()

    def next(self) -> int:
        """32 random bits."""
        x, y, z, w = self._words
        t = (x ^ x << 11) & 0xFFFFFFFF
        drawn = w ^ w >> 19 ^ t ^ t >> 8
        self._words = y, z, w, drawn
        return drawn

    def below(self, n: int) -> int:
        """0 to n-1, each as likely as the others; n is at most 2**32."""
        drawn = self.next()
        while drawn >= 2**32 - 2**32 % n:
            drawn = self.next()
        return drawn % n


def run(bot, name: str = "", version: str = "") -> None:
    """Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from here on.

    The bot is a function from a Turn to an Action, or to an Action and a note of at most 1 KiB that goes into the replay. Or
    it is an object with such a method act and, if it likes, start and end, which get the Record of the message.
    """
    sys.stdout.flush()
    talk = Conversation(bot, name, version)
    with os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as out:
        os.dup2(2, 1)  # of subprocesses and libraries too
        sys.stdout = sys.stderr
        for line in filter(bytes.strip, sys.stdin.buffer):
            message = read(line)
            if message.type == "quit":
                return
            answer = talk.answer(message)
            if answer:
                print(answer, file=out, flush=True)


class Conversation:
    """What a bot, as run takes it, says to the messages of the arena, one after the other."""

    def __init__(self, bot, name: str = "", version: str = "") -> None:
        about = {key: text for key, text in {"name": name, "version": version}.items() if text}
        self._bot, self._game, self._ready = bot, "", {"type": "ready", **about, "protocol": 1}

    def answer(self, message: Record) -> str | None:
        """The line that answers the message, or None."""
        if message.type == "hello":
            return _line(self._ready)
        if message.type == "start":
            self._game = message.game
            getattr(self._bot, "start", _ignore)(message)
        elif message.type == "turn":
            turn = Turn(**{k: v for k, v in vars(message).items() if k in Turn.__annotations__})
            return _line(_move(message.turn, getattr(self._bot, "act", self._bot)(turn)))
        elif message.type == "error":
            _log(self._game, message.turn, _fault(message))
        elif message.type == "end":
            getattr(self._bot, "end", _ignore)(message)
        return None


def read(line: bytes) -> Record:
    """A message from its line, without the events of a later version."""
    message = json.loads(line, object_hook=_object)
    if message.events:
        message.events = [e for e in message.events if e.type in ("deal", "play", "clear", "score")]
    return message


def _line(message: dict) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def _object(fields: dict) -> Action | Record:
    return Action(fields.get("type", ""), fields["cards"]) if "cards" in fields else Record(**fields)


def _ignore(_: Record) -> None: ...


def _move(turn: int, chosen) -> dict:
    action, note = chosen if isinstance(chosen, tuple) else (chosen, "")
    if not isinstance(action, Action):
        raise TypeError(f"act returned {chosen!r}; it must return an entry of turn.legal, alone or with a note")
    move = {"type": "move", "turn": turn, "action": {"type": action.type, "cards": action.cards}}
    note = note.encode(errors="replace")[:1024].decode(errors="ignore")  # more could make the line too long
    return {**move, "note": note} if note else move


def _fault(error: Record) -> str:
    text = f"{error.code}: {error.message}"
    if error.applied:
        text += f"; the arena played {error.applied}"
    if error.strike_limit:
        text += f"; strike {error.strikes} of {error.strike_limit}"
    return text


def _log(game: str, turn: int, text: object) -> None:
    print(f"{game} turn {turn}: {text}", file=sys.stderr, flush=True)
