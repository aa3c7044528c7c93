import {busy} from '../../../test/app/screens/fixtures.ts';
import {settle} from '../../../test/app/support/sources.ts';
import {startWholeApp} from '../../../test/app/support/whole-app.tsx';

/** Counts, not times: they are the same on every machine. */
export type StillFrames = {
  /** Commits of React for so many lines of output. */
  readonly commits: number;
  /** Bytes to the terminal while panes draw what they showed before, and time passes. */
  readonly bytes: number;
};

export const printedLines = 1000;

/** Runs the whole app on a terminal and a clock of its own. */
export async function countStillFrames(): Promise<StillFrames> {
  const {state, time} = busy();
  const {device, clock, sources, commits, press, close} = await startWholeApp(state, time);
  const printAll = async (text: string): Promise<void> => {
    for (const session of sources.open()) sources.print(session, text);
    await settle();
    clock.pass(40);
  };

  await press('w');
  clock.pass(60_000);
  await settle();
  const before = commits();
  // Forty lines at once, so that no step of the clock falls into it.
  for (let line = 0; line < printedLines; line += 40)
    await printAll(Array.from({length: 40}, (_, at) => `line ${line + at}\r\n`).join(''));
  const committed = commits() - before;
  await printAll('\r\u001B[Kquiet');
  clock.pass(10_000 - (clock.now() % 10_000));
  await press('');
  device.written.length = 0;
  for (let step = 0; step < 50; step++) await printAll('\r\u001B[Kquiet');
  const bytes = device.written.join('').length;
  await close();
  return {commits: committed, bytes};
}
