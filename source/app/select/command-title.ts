import {cutLine} from '../../shared/index.ts';

/**
 * What the person started, short enough for a title. Omits a name that only repeats the program,
 * the shell around a script, and the escape sequences that a script writes: as text they say
 * nothing to a person.
 */
export function formatCommandTitle({
  name,
  command,
}: {
  readonly name: string;
  readonly command: readonly string[];
}): string {
  const [, option, script, ...more] = command;
  const isScript = option === '-c' && script !== undefined && more.length === 0;
  const text = toReadable(isScript ? script : command.join(' '));
  const repeatsName = isScript
    ? text.startsWith(name)
    : name === command[0]?.split('/').at(-1) || text === name;
  return cutLine(repeatsName ? text : `${name} ${text}`.trimEnd(), maxWidth);
}

/** As much as is read at a glance. `sessions` and `explain` have the whole command. */
const maxWidth = 48;

function toReadable(text: string): string {
  return text
    .replaceAll(escapeSequence, '')
    .replaceAll(characterEscape, ' ')
    .replaceAll(/("|')\1/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** An Escape, real or as shells, C, Python and JavaScript write it, and its sequence. */
const escapeSequence =
  /(?:\u001B|\\(?:e|E|033|0?33|x1[bB]|u001[bB]|u\{1[bB]\}))(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\\]*(?:\u0007|\\a|\\007|\u001B\\|\\(?:e|033)\\+)?|[()][0-9A-Za-z]|[78=>cDEHM])?/g;

const characterEscape = /\\(?:[abfnrtv]|0?07|0?1[0-5]|x0[7-9a-dA-D])/g;
