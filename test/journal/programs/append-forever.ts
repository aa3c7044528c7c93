// Appends to the journal in argv[2] until it is killed, and says which seq was acknowledged. The
// test kills it.
import process from 'node:process';
import {openJournal} from '../../../source/journal/index.ts';

await print('opening\n');
const journal = await openJournal({
  directory: process.argv[2]!,
  clock: {wall: () => Date.now(), mono: () => process.hrtime.bigint()},
  boot: 'b1',
  knows: () => true,
  replay: () => undefined,
  report: () => undefined,
});

/** Waits while the reader is slow: a write that cannot wait fails when the pipe is full. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => {
      resolve();
    });
  });
}

let count = 0;
/** Decisions of one to five events, some larger than a page. */
async function appendForever(): Promise<void> {
  for (;;) {
    count += 1;
    const decision = `${process.pid}.${count}`;
    const of = (count % 5) + 1;
    const entries = await journal.append(
      Array.from({length: of}, (_, index) => ({
        type: 'noted',
        data: {decision, index, of, text: 'x'.repeat((count * 997) % 6000)},
      })),
    );
    await print(entries.map(({seq}) => `${seq} ${decision}\n`).join(''));
  }
}

await Promise.all([appendForever(), appendForever(), appendForever()]);
