import { run } from './fivethreefive.mjs';
import { act } from './strategy.mjs';

await run(act, { name: 'mybot', version: '1' });
