"""Plays Five Three Five."""

from fivethreefive import Action, Turn, run


def worth(action: Action) -> int:
    """How good an action looks: many cards are good, and an 8 is better kept."""
    return len(action.cards) - 10 * action.cards.count(8)


def act(turn: Turn) -> Action:
    """Answers a turn with the best of the legal actions."""
    best = max(turn.legal, key=worth)
    turn.log(f"{len(turn.hand)} cards in hand, playing {best}")
    return best


if __name__ == "__main__":
    run(act, name="mybot", version="1")
