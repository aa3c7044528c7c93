import assert from 'node:assert/strict';
import {commitsOf, printedIn, type Usual} from './invariants.ts';
import {keysOf, leftBehind, lookAfter, sequencesOf} from './look-after.ts';
import {playThrough} from './play-through.ts';
import {readWritten, type Written} from './read-written.ts';
import type {Stage} from './stage.ts';

/** A run without faults, to compare with. */
export async function playUsually(open: () => Promise<Stage>): Promise<Usual> {
  const stage = await open();
  try {
    const left = stage.git('status', '--porcelain');
    const begun = performance.now();
    const {readyTree} = await playThrough(stage);
    const ms = performance.now() - begun;
    await lookAfter(stage, left);
    const written = readWritten(stage);
    return {
      ms,
      tree: readyTree,
      done: keysOf(written.events),
      sequences: sequencesOf(written.events),
      outputs: outputsOf(stage, written),
      commits: commitsOf(stage),
      files: new Set(leftBehind(stage)),
    };
  } finally {
    await stage.close();
  }
}

function outputsOf(stage: Stage, written: Written): Usual['outputs'] {
  const groups = Map.groupBy(printedIn(stage, written), ({purpose}) => purpose);
  return new Map(
    [...groups].map(([purpose, own]) => {
      assert.equal(
        new Set(own.map(({text}) => text)).size,
        1,
        `whoever works for ${purpose} prints the same each time`,
      );
      return [purpose, {text: own[0]?.text ?? '', count: own.length}];
    }),
  );
}
