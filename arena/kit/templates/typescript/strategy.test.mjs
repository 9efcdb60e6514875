import assert from 'node:assert/strict';
import test from 'node:test';

import { act } from './dist/strategy.mjs';

const turn = (...legal) => ({ legal, hand: [], log() {} });

test('keeps the eight', () => {
  const [add, pass] = [{ type: 'add', cards: [8] }, { type: 'pass', cards: [] }];
  assert.equal(act(turn(add, pass)), pass);
});

test('plays many cards', () => {
  const [one, two] = [{ type: 'lead', cards: [3] }, { type: 'lead', cards: [3, 4] }];
  assert.equal(act(turn(one, two)), two);
});
