import type {AppStep} from './play-steps.ts';
import {objective} from './sittings.ts';

/** What the recording shows, and how long each part takes in it: 25 seconds in all. */
export const recordingSteps: readonly AppStep[] = [
  {until: /[Ww]hat should[^]*sage/, seconds: 0.5},
  {keys: objective, everyMs: 30, until: /a subscriber that\s+is\s+down/, seconds: 2.5},
  {keys: '\r', until: /needs you .*plan/, seconds: 1.5},
  {keys: 'p', until: /Validate card expiry[^]*Retry webhooks/, seconds: 1.5},
  {keys: 'A', repeat: true, until: /0 of 6|0\/6/, seconds: 1},
  {keys: 'w', until: /Retry webhooks/, seconds: 1},
  {until: /needs you .*asks: /, seconds: 4},
  {keys: 'n', until: /A question from|answer of your own/, seconds: 1.5},
  {keys: '\r', until: /Answer:/, seconds: 0.5},
  {keys: '2\r', until: /settled|works|no need/i, seconds: 1},
  {keys: 'w', until: /Retry webhooks/, seconds: 0.5},
  {until: /done and validated|[Rr]eady to accept/, seconds: 3.5},
  {keys: 't', until: /Timeline(?![^]*Reading the journal)[^]*(?:r1\.t|Validate)/, seconds: 2.5},
  {keys: 'n', until: /to be accepted|[Rr]eady to accept/, seconds: 0.5},
  {keys: 'A', repeat: true, until: /into main\?/, seconds: 1},
  {keys: 'y', repeat: true, until: /1 run is over|main is at/, seconds: 2},
];
