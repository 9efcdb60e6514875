// A bot that plays at random from its own program, for an arena at the URL, with the token in the file, under the name. In the
// second turn of a game it says so by a file asked, and waits while there is a file hold. While there is a file broken, it throws.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from './fivethreefive.mjs';
import { run } from './remote.mjs';

class Drawn {
  drawn = 0;
  plays = 0; // own ones, as the events tell
  turns = 0;

  start({ seed }) {
    this.random = new Random(seed);
  }

  async act({ events, legal, seat }) {
    if (existsSync('broken')) throw new Error('broken on purpose');
    if (++this.turns === 2 && existsSync('hold')) await held();
    this.plays += events.filter((e) => e.type === 'play' && e.seat === seat && e.by !== 'arena').length;
    for (; this.drawn < this.plays; this.drawn++) this.random.next(); // in a game that is begun anew
    this.drawn++;
    return legal[this.random.below(legal.length)];
  }
}

async function held() {
  writeFileSync('asked', '');
  while (existsSync('hold')) await sleep(5);
  rmSync('asked', { force: true });
}

const [server, creds, name] = process.argv.slice(2);
await run(() => new Drawn(), { server, creds, name, version: '1' });
