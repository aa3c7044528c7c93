import assert from 'node:assert/strict';
import {getCommits, printedIn, type Usual} from './invariants.ts';
import {getKeys, getSequences, leftBehind, lookAfter} from './look-after.ts';
import {runToEnd} from './run-to-end.ts';
import {readWritten, type Written} from './read-written.ts';
import type {LoopFixture} from './loop-fixture.ts';

/** A run without faults, to compare with. */
export async function runWithoutFaults(open: () => Promise<LoopFixture>): Promise<Usual> {
  const fixture = await open();
  try {
    const left = fixture.git('status', '--porcelain');
    const begun = performance.now();
    const {readyTree} = await runToEnd(fixture);
    const ms = performance.now() - begun;
    await lookAfter(fixture, left);
    const written = readWritten(fixture);
    return {
      ms,
      tree: readyTree,
      done: getKeys(written.events),
      sequences: getSequences(written.events),
      outputs: getOutputs(fixture, written),
      commits: getCommits(fixture),
      files: new Set(leftBehind(fixture)),
    };
  } finally {
    await fixture.close();
  }
}

function getOutputs(fixture: LoopFixture, written: Written): Usual['outputs'] {
  const groups = Map.groupBy(printedIn(fixture, written), ({purpose}) => purpose);
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
