import {readFileSync} from 'node:fs';
import {goldenLogs} from './golden-logs.ts';
import {noPlace, type Truth} from './truth-logs.ts';

/** The reading beside each golden log, which a person checked, as a truth. */
export function oldTruths(): {
  readonly name: string;
  readonly log: string;
  readonly truth: Truth;
}[] {
  return goldenLogs().map(({name, file, log}) => {
    const reading = readFileSync(file.replace(/\.log$/, '.txt'), 'utf8');
    const field = (key: string): string | undefined =>
      new RegExp(`^${key}: (.+)$`, 'm').exec(reading)?.[1];
    const [test, place] = [field('test'), field('place') ?? '-'];
    const message = /^message:\n((?: {2}.*\n)*)/m.exec(reading)?.[1] ?? '';
    return {
      name,
      log,
      truth: {
        ...(test !== undefined && test !== '-' && {test}),
        messages: message
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
        places: place === '-' ? [noPlace] : [place.replace(/^(.+:\d+):\d+$/, '$1')],
        kinds: [],
      },
    };
  });
}
