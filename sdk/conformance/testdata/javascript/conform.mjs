import { Random, beats, meld, points, run, show, strength } from './fivethreefive.mjs';

const list = (cards) => `[${cards.join(' ')}]`;

class First {
  act({ legal }) {
    return legal[0];
  }
}

class Drawn {
  start({ seed }) {
    this.random = new Random(seed);
  }

  act({ legal }) {
    return legal[this.random.below(legal.length)];
  }
}

class Broken {
  act() {
    throw new Error('broken on purpose');
  }
}

/** Tells everything that it sees. */
class Seeing extends Drawn {
  start(s) {
    super.start(s);
    const { rules: r, clock: c } = s;
    console.log('start', s.game, s.seat, s.players, ...s.names, r.preset, r.players, r.copies, r.hand_size, r.target,
      Number(r.permanent_pass), Number(r.greater_overwrite), c.move_ms, c.bank_ms, c.increment_ms, s.seed);
  }

  async act(t) {
    const last = t.clock.last_ms === undefined ? -1 : Math.round(t.clock.last_ms * 1000);
    t.log(`seat ${t.seat} round ${t.round} half ${t.half} hand ${list(t.hand)} meld ${list(t.meld)} by ${t.meld_seat} `
      + `counts ${list(t.counts)} scores ${list(t.scores)} passed ${list(t.passed)} undealt ${t.undealt} `
      + `clock ${t.clock.move_ms} ${t.clock.bank_ms} ${last}`);
    for (const e of t.events) t.log(event(e));
    for (const a of t.legal) t.log(`legal ${show(a)}: ${describe(a.cards)} beats ${Number(beats(a.cards, t.meld))}`);
    const windows = [];
    for (let n = 1; n <= 6; n++) {
      for (let i = 0; i + n <= t.hand.length; i++) windows.push(describe(t.hand.slice(i, i + n).reverse()));
    }
    t.log(`hand: ${windows.join('; ')}`);
    const r = this.random;
    t.log(`random ${r.below(1)} ${r.below(6)} ${r.below(1000000)} ${r.below(2147483647)} ${r.next()}`);
    const [left, limit] = [t.timeLeftMs(), t.clock.move_ms + t.clock.bank_ms];
    t.log(`time ${left >= Math.max(0, limit - 300_000) && left <= limit ? 'left' : 'wrong'}`);
    return { action: t.legal.at(-1), note: t.turn % 2 ? 'é'.repeat(40_000) : 'a "b" \\ \n\x01 😀' };
  }

  end(e) {
    console.log('end', e.game, e.reason, list(e.scores), list(e.ranks), e.events.length);
  }
}

function describe(cards) {
  const m = meld(cards);
  return `${m ? `${m.kind} ${m.low} ${m.size}` : 'none'} strength ${strength(cards)} points ${points(cards)}`;
}

function event(e) {
  switch (e.type) {
    case 'deal':
      return `deal ${e.round} ${e.half} ${e.leader} ${list(e.counts)} ${list(e.hand ?? [])}`;
    case 'play':
      return `play ${e.seat} ${show(e.action)} ${list(e.meld)} ${e.by ?? ''}/${e.fault ?? ''}`;
    case 'clear':
      return `clear ${e.seat} ${e.reason}`;
    default:
      return `score ${e.round} ${e.half} ${e.out} ${e.hands.map(list).join(' ')} ${list(e.points)} ${list(e.scores)}`;
  }
}

const bots = { first: First, random: Drawn, broken: Broken, see: Seeing };
await run(new bots[process.argv[2]](), { name: 'conform', version: '1 "é"' });
