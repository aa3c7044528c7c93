import {createReader} from './create-reader.ts';

/** Text that may be given to something which writes it to a terminal unfiltered (Ink does): colours and styles stay, lines and tabs stay, all else goes. */
export function keepStyles(text: string): string {
  let kept = '';
  const reader = createReader({
    draw(drawn) {
      kept += drawn;
    },
    control: () => '',
    escape: () => '',
    sequence: (name) => (name === 'm' ? undefined : ''),
    string: () => undefined,
  });
  reader.read(text);
  const lines = kept.replaceAll(/\r\n?|[\b]/g, (character) => (character === '\r\n' ? '\n' : ''));
  return lines.includes('\u001B') ? `${lines}\u001B[m` : lines;
}
