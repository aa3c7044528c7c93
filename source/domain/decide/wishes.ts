import type {Intent} from '../command.ts';
import type {Wishes} from './answer.ts';
import {baselineWishes} from './baseline-wishes.ts';
import {planWishes} from './plan-wishes.ts';
import {runWishes} from './run-wishes.ts';
import {sessionWishes} from './session-wishes.ts';
import {taskWishes} from './task-wishes.ts';

/** One entry for everything that a person can want. */
export const wishes: Wishes<Intent['type']> = {
  ...runWishes,
  ...planWishes,
  ...baselineWishes,
  ...taskWishes,
  ...sessionWishes,
};
