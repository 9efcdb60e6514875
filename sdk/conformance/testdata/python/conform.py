import sys

from fivethreefive import Random, beats, meld, points, run, strength


def show(cards):
    return f"[{' '.join(map(str, cards))}]"


class First:
    def act(self, turn):
        return turn.legal[0]


class Drawn:
    def start(self, start):
        self.random = Random(start.seed)

    def act(self, turn):
        return turn.legal[self.random.below(len(turn.legal))]


class Broken:
    def act(self, turn):
        raise RuntimeError("broken on purpose")


class Seeing(Drawn):
    """Tells everything that it sees."""

    def start(self, s):
        super().start(s)
        r, c = s.rules, s.clock
        print("start", s.game, s.seat, s.players, *s.names, r.preset, r.players, r.copies, r.hand_size, r.target,
              int(r.permanent_pass), int(r.greater_overwrite), c.move_ms, c.bank_ms, c.increment_ms, s.seed)

    def act(self, t):
        last = -1 if t.clock.last_ms is None else round(t.clock.last_ms * 1000)
        t.log(f"seat {t.seat} round {t.round} half {t.half} hand {show(t.hand)} meld {show(t.meld)} by {t.meld_seat} "
              f"counts {show(t.counts)} scores {show(t.scores)} passed {show(t.passed)} undealt {t.undealt} "
              f"clock {t.clock.move_ms} {t.clock.bank_ms} {last}")
        for e in t.events:
            t.log(event(e))
        for a in t.legal:
            t.log(f"legal {a}: {describe(a.cards)} beats {int(beats(a.cards, t.meld))}")
        windows = [t.hand[i : i + n][::-1] for n in range(1, 7) for i in range(len(t.hand) - n + 1)]
        t.log("hand: " + "; ".join(map(describe, windows)))
        r = self.random
        t.log(f"random {r.below(1)} {r.below(6)} {r.below(1000000)} {r.below(2147483647)} {r.next()}")
        limit = t.clock.move_ms + t.clock.bank_ms
        t.log("time " + ("left" if max(0, limit - 300_000) <= t.time_left_ms() <= limit else "wrong"))
        return t.legal[-1], "é" * 40_000 if t.turn % 2 else 'a "b" \\ \n\x01 😀'

    def end(self, e):
        print("end", e.game, e.reason, show(e.scores), show(e.ranks), len(e.events))


def describe(cards):
    m = meld(cards)
    kind = f"{m.kind} {m.low} {m.size}" if m else "none"
    return f"{kind} strength {strength(cards)} points {points(cards)}"


def event(e):
    if e.type == "deal":
        return f"deal {e.round} {e.half} {e.leader} {show(e.counts)} {show(e.hand)}"
    if e.type == "play":
        return f"play {e.seat} {e.action} {show(e.meld)} {e.by or ''}/{e.fault or ''}"
    if e.type == "clear":
        return f"clear {e.seat} {e.reason}"
    return f"score {e.round} {e.half} {e.out} {' '.join(map(show, e.hands))} {show(e.points)} {show(e.scores)}"


bots = {"first": First, "random": Drawn, "broken": Broken, "see": Seeing}
run(bots[sys.argv[1]](), name="conform", version='1 "é"')
