import type {Project, SharedFolder} from '../domain/index.ts';
import {excerpt} from '../shared/index.ts';
import {parseFolder} from './allowed-values.ts';
import {parseCommand, parseFields, parseNumber, type Report, withConsequence} from './fields.ts';
import {describeYaml, type YamlMapping, type YamlValue} from '../syntax/index.ts';
import {getPortRange} from './defaults.ts';

export const maxShared = 50;

/**
 * Folders of the checkout that each worktree gets: a path, or `{path, by: hard-link}`. Invalid
 * entries are left out; of two with the same path the first counts.
 */
export function parseShare(value: YamlValue, report: Report): SharedFolder[] | undefined {
  if (value.is !== 'list' && value.is !== 'text') {
    report(
      value.line,
      `share: expected a list like [node_modules], got ${describeYaml(value)}. Change it. Until then it counts as empty.`,
    );
    return undefined;
  }

  const items = value.is === 'list' ? value.items : [value];
  if (items.length > maxShared)
    report(
      value.line,
      `share: expected at most ${maxShared}, got ${items.length}. Leave some out. Until then the first ${maxShared} count.`,
    );
  const folders = items
    .slice(0, maxShared)
    .flatMap((item, index) =>
      parseSharedFolder(item, value.is === 'list' ? `share[${index}]` : 'share', report),
    );
  return folders.filter(
    (folder, index) =>
      folders.findIndex((other) => sharedPath(other) === sharedPath(folder)) === index,
  );
}

export function sharedPath(folder: SharedFolder): string {
  return typeof folder === 'string' ? folder : folder.path;
}

function parseSharedFolder(item: YamlValue, place: string, report: Report): SharedFolder[] {
  const leaveOut = (line: number, text: string): SharedFolder[] => {
    report(line, `${place}: ${text} Until then it is left out.`);
    return [];
  };
  if (item.is === 'text') {
    const parsed = parseFolder(item.text);
    return 'text' in parsed
      ? [parsed.text]
      : leaveOut(item.line, `"${excerpt(item.text)}" ${parsed.rejected}`);
  }

  if (item.is !== 'mapping')
    return leaveOut(
      item.line,
      `expected the path of a folder, got ${describeYaml(item)}. Change it.`,
    );
  const fields = parseFields(item, place, {known: ['path', 'by']}, report);
  const [path, by] = [fields.get('path'), fields.get('by')];
  if (path?.is !== 'text')
    return leaveOut(
      item.line,
      'expected path, the path of a folder. Write {path: node_modules, by: hard-link}.',
    );
  const parsed = parseFolder(path.text);
  if ('rejected' in parsed)
    return leaveOut(path.line, `"${excerpt(path.text)}" ${parsed.rejected}`);
  if (by === undefined) return [parsed.text];
  if (by.is === 'text' && by.text === 'hard-link') return [{path: parsed.text, by: 'hard-link'}];
  return leaveOut(
    by.line,
    `by: expected "hard-link", got ${describeYaml(by)}. Leave it out for a copy of its own.`,
  );
}

/**
 * `setup:` is a command, or fields: the command, and whether it also runs in the planner's
 * worktree.
 */
export function parseSetup(
  value: YamlValue,
  report: Report,
): Pick<Project, 'setup' | 'plannerSetup'> {
  const reject = withConsequence('nothing is set up', report);
  if (value.is !== 'mapping') {
    const setup = parseCommand(value, 'setup', reject);
    return setup === undefined ? {} : {setup};
  }

  const fields = parseFields(value, 'setup', {known: ['command', 'planner']}, report);
  const commandField = fields.get('command');
  if (commandField === undefined)
    reject(
      value.line,
      'setup: expected a command, as in "setup: {command: npm ci, planner: true}". Write it.',
    );
  const setup = commandField && parseCommand(commandField, 'setup.command', reject);
  const planner = fields.get('planner');
  const plannerSetup =
    planner === undefined
      ? undefined
      : parseBoolean(
          planner,
          'setup.planner',
          withConsequence('only the worktrees of tasks and merges are set up', report),
        );
  return {
    ...(setup === undefined ? {} : {setup}),
    ...(plannerSetup === true && setup !== undefined ? {plannerSetup} : {}),
  };
}

/** `true`, `on` or `yes`; `false`, `off` or `no`. */
export function parseBoolean(value: YamlValue, path: string, reject: Report): boolean | undefined {
  const word = plainWord(value);
  if (['true', 'on', 'yes'].includes(word)) return true;
  if (['false', 'off', 'no'].includes(word)) return false;
  reject(value.line, `${path}: expected true or false, got ${describeYaml(value)}. Change it.`);
  return undefined;
}

function plainWord(value: YamlValue): string {
  if (value.is === 'text') return value.text;
  return value.is === 'other' ? value.what : '';
}

/**
 * The range counts as a whole or not at all: half of it would give tasks other ports than the file
 * seems to say.
 */
export function parsePorts(mapping: YamlMapping, report: Report): Project['ports'] {
  const usual = getPortRange({});
  const reject = withConsequence(
    `ports are given from ${usual.from} on, ${usual.perTask} to a task`,
    report,
  );
  const fields = parseFields(mapping, 'ports', {known: ['from', 'perTask']}, report);
  const [fromField, perTaskField] = [fields.get('from'), fields.get('perTask')];
  const from =
    fromField === undefined
      ? usual.from
      : parseNumber(fromField, 'ports.from', {least: 1024, most: 60_000}, reject);
  const perTask =
    perTaskField === undefined
      ? usual.perTask
      : parseNumber(perTaskField, 'ports.perTask', {least: 1, most: 100}, reject);
  return from === undefined || perTask === undefined ? undefined : {from, perTask};
}
