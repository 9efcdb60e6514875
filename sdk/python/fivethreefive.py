"""Makes a bot for Five Three Five Arena out of a strategy.

See https://github.com/fivethreefive/fivethreefive/tree/main/sdk/python#readme

It speaks version 1 of the bot protocol over stdin and stdout, and needs nothing but Python 3.9.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass, field, fields
from functools import cache

RANKS = (1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15)


@dataclass(frozen=True)
class Action:
    """A kind, "lead", "overwrite", "add" or "pass", with the cards played in ascending order."""

    type: str = "pass"
    cards: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return "pass" if self.type == "pass" else f"{self.type} {_show(self.cards)}"

    def note(self, text: str) -> Move:
        """The move that plays this action, with up to 1 KiB of text that goes into the replay."""
        return Move(self, text)


@dataclass(frozen=True)
class Move:
    action: Action
    note: str = ""


@dataclass(frozen=True)
class Rules:
    preset: str = ""
    players: int = 0
    copies: int = 0
    hand_size: int = 0
    target: int = 0
    permanent_pass: bool = False
    greater_overwrite: bool = False


@dataclass(frozen=True)
class Clock:
    """Milliseconds. increment_ms is for start only, last_ms for turns only; it is None on the first."""

    move_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0
    last_ms: float | None = None


@dataclass(frozen=True)
class Event:
    """Type "deal", "play", "clear" or "score"; fields that the type does not have are empty."""

    type: str = ""
    seat: int = 0
    action: Action = Action()
    meld: list[int] = field(default_factory=list)
    by: str = ""
    fault: str = ""
    reason: str = ""
    round: int = 0
    half: int = 0
    leader: int = 0
    out: int = 0
    counts: list[int] = field(default_factory=list)
    hand: list[int] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Start:
    game: str = ""
    seat: int = 0
    players: int = 0
    names: list[str] = field(default_factory=list)
    rules: Rules = Rules()
    clock: Clock = Clock()
    seed: int = 0


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
    events: list[Event] = field(default_factory=list)
    legal: list[Action] = field(default_factory=list)
    clock: Clock = Clock()
    read_at: float = field(default_factory=time.monotonic)

    def time_left_ms(self) -> float:
        """Milliseconds until the turn is lost, the bank included; not below 0."""
        return max(0.0, self.clock.move_ms + self.clock.bank_ms - (time.monotonic() - self.read_at) * 1000)

    def log(self, text: object) -> None:
        """Writes a line to stderr that names the game and the turn."""
        print(f"{self.game} turn {self.turn}: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class End:
    game: str = ""
    reason: str = ""
    scores: list[int] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


class Bot:
    """Decides. start and end may be left out; so may the class, where a function is enough for act."""

    def start(self, start: Start) -> None: ...
    def act(self, turn: Turn) -> Action | Move: ...
    def end(self, end: End) -> None: ...


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
    if size and low in RANKS and set(cards) == {low}:
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
        self._state = [seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, 0x9E3779B9, 0x7F4A7C15]
        for _ in range(16):
            self.next()

    def next(self) -> int:
        """32 random bits."""
        x, y, z, w = self._state
        t = (x ^ x << 11) & 0xFFFFFFFF
        w, self._state = w ^ w >> 19 ^ t ^ t >> 8, [y, z, w, 0]
        self._state[3] = w
        return w

    def below(self, n: int) -> int:
        """0 to n-1, each as likely as the others; n is at most 2**32."""
        limit = 2**32 - 2**32 % n
        while (x := self.next()) >= limit:
            pass
        return x % n


def run(bot, name: str = "", version: str = "", author: str = "") -> None:
    """Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from here on."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as out:
        os.dup2(2, 1)  # of subprocesses and libraries too
        sys.stdout = sys.stderr
        about = {"name": name, "version": version, "author": author}
        ready = {"type": "ready", **{k: v for k, v in about.items() if v}, "protocol": 1}
        for answer in _answers(bot, ready):
            out.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
            out.flush()


def _answers(bot, ready: dict):
    game = ""
    for line in sys.stdin.buffer:
        if not line.endswith(b"\n"):
            raise EOFError("the input ended within a line")
        if not (line := line.strip(b"\xef\xbb\xbf \t\r\n")):
            continue
        try:
            message = json.loads(line)
            kind = message.get("type")
            if not isinstance(kind, str):
                raise ValueError('it has no "type"')
            message = _READ.get(kind, lambda m: m)(message)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            print(f"ignored a line from the arena: {error}", file=sys.stderr, flush=True)
            continue
        if kind == "quit":
            return
        if kind == "hello":
            yield ready
        elif kind == "start":
            game = message.game
            getattr(bot, "start", lambda _: None)(message)
        elif kind == "turn":
            yield _answer(message.turn, getattr(bot, "act", bot)(message))
        elif kind == "error":
            print(f"{game} turn {message.get('turn', 0)}: {_fault(message)}", file=sys.stderr, flush=True)
        elif kind == "end":
            getattr(bot, "end", lambda _: None)(message)


def _answer(turn: int, move: Action | Move) -> dict:
    move = move.note("") if isinstance(move, Action) else move
    if not isinstance(move, Move):
        raise TypeError(f"act returned {move!r}; it must return an entry of turn.legal")
    answer = {"type": "move", "turn": turn, "action": {"type": move.action.type, "cards": move.action.cards}}
    note = move.note.encode(errors="replace")[:1024].decode(errors="ignore")
    return {**answer, "note": note} if note else answer


def _fault(m: dict) -> str:
    text = f"{m.get('code', '')}: {m.get('message', '')}"
    if m.get("applied"):
        text += f"; the arena played {_build(Action, m['applied'])}"
    if m.get("strike_limit"):
        text += f"; strike {m.get('strikes', 0)} of {m['strike_limit']}"
    return text


def _show(cards: list[int]) -> str:
    return f"[{' '.join(map(str, cards))}]"


_PARTS = {
    "action": lambda v: _build(Action, v), "rules": lambda v: _build(Rules, v), "clock": lambda v: _build(Clock, v),
    "legal": lambda v: [_build(Action, a) for a in v],
    "events": lambda v: [_build(Event, e) for e in v if e["type"] in ("deal", "play", "clear", "score")],
}  # fmt: skip


@cache
def _readers(cls) -> dict:
    return {f.name: _PARTS.get(f.name) for f in fields(cls) if f.name != "read_at"}


def _build(cls, values: dict):
    """Takes the fields that are known, and leaves those that are not there at their defaults."""
    readers = _readers(cls)
    return cls(**{k: readers[k](v) if readers[k] else v for k, v in values.items() if k in readers})


_READ = {
    "start": lambda m: _build(Start, m),
    "turn": lambda m: _build(Turn, m),
    "end": lambda m: _build(End, m),
}
