// @ts-check
import { show } from './fivethreefive.mjs';

/**
 * How good an action looks: many cards are good, and an 8 is better kept.
 * @param {import('./fivethreefive.mjs').Action} action
 */
const worth = ({ cards }) => cards.length - 10 * cards.filter((card) => card === 8).length;

/**
 * Answers a turn with the best of the legal actions.
 * @param {import('./fivethreefive.mjs').Turn} turn
 */
export function act(turn) {
  const best = turn.legal.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  turn.log(`${turn.hand.length} cards in hand, playing ${show(best)}`);
  return best;
}
