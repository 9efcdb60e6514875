import unittest

from bot import act
from fivethreefive import Action, Turn


class Choices(unittest.TestCase):
    def test_keeps_the_eight(self):
        add, pass_ = Action("add", [8]), Action("pass")
        self.assertEqual(act(Turn(legal=[add, pass_])), pass_)

    def test_plays_many_cards(self):
        one, two = Action("lead", [3]), Action("lead", [3, 4])
        self.assertEqual(act(Turn(legal=[one, two])), two)
