import { type Action, show, type Turn } from '../fivethreefive.mjs';

/** How good an action looks: many cards are good, and an 8 is better kept. */
const worth = ({ cards }: Action): number => cards.length - 10 * cards.filter((card) => card === 8).length;

/** Answers a turn with the best of the legal actions. */
export function act(turn: Turn): Action {
  const best = turn.legal.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  turn.log(`${turn.hand.length} cards in hand, playing ${show(best)}`);
  return best;
}
