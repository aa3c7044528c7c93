import {writeFileSync} from 'node:fs';
import type {Fixture} from '../sessions/fixture.ts';

/**
 * A program that behaves as the interface of an agent: raw mode, the alternate screen, bracketed
 * paste, a box at the bottom that is drawn again for each key in one synchronized update, and, while
 * it works, a line that changes ten times a second.
 */
const program = `
const {stdin, stdout} = process;
stdin.setRawMode(true);
const [isWorking] = [process.argv[2] === 'working'];
let keys = 0;
const at = (row, text) => '\\x1b[' + row + ';1H\\x1b[2K' + text;
const box = (key) => {
  const {columns = 80, rows = 24} = stdout;
  const line = '─'.repeat(Math.max(1, columns - 2));
  return at(rows - 3, '\\x1b[38;5;244m╭' + line + '╮\\x1b[m')
    + at(rows - 2, '\\x1b[38;5;244m│\\x1b[m \\x1b[1m❯\\x1b[m ' + key)
    + at(rows - 1, '\\x1b[38;5;244m╰' + line + '╯\\x1b[m')
    + at(rows, '\\x1b[2m  ' + keys + ' keys\\x1b[m') + '\\x1b[' + (rows - 2) + ';6H';
};
const together = (text) => stdout.write('\\x1b[?2026h' + text + '\\x1b[?2026l');
const draw = () => {
  const {rows = 24} = stdout;
  let text = '\\x1b[2J' + at(1, 'READY-TO-ECHO');
  for (let row = 3; row < rows - 4; row++)
    text += at(row, '\\x1b[3' + (row % 7) + 'm● \\x1b[m' + 'Reading source file ' + row + ' and what it says');
  together(text + box(''));
};
stdout.write('\\x1b[?1049h\\x1b[?2004h');
draw();
stdout.on('resize', draw);
stdin.on('data', (data) => { keys += data.length; together(box(data.toString().slice(-1))); });
if (isWorking) {
  let step = 0;
  setInterval(() => {
    const {rows = 24} = stdout;
    together('\\x1b7' + at(rows - 4, '\\x1b[35m' + '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[step++ % 10] + '\\x1b[m Working, ' + step + ' steps') + '\\x1b8');
  }, 100);
}
`;

/** The script that runs it in a session. */
export function interactiveProgram(fixture: Fixture, state: 'waiting' | 'working'): string {
  const file = `${fixture.newPath('interface')}.cjs`;
  writeFileSync(file, program);
  return `exec ${process.execPath} ${file} ${state}`;
}
