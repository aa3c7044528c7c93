import {z} from 'zod';
import type {Project, SharedFolder} from '../domain/index.ts';
import {parseFolder} from './allowed-values.ts';
import {parseMappingFields, parseItems, type ReportProblem, withConsequence} from './fields.ts';
import {expectedGot, parseEachField, parseWithSchema} from './parse-with-schema.ts';
import {booleanSchema, commandSchema, numberSchema, textSchema} from './schemas.ts';
import type {YamlMapping, YamlValue} from '../syntax/index.ts';
import {getPortRange} from './defaults.ts';

export const maxShared = 50;

/**
 * Folders of the checkout that each worktree gets: a path, or `{path, by: hard-link}`. Invalid
 * entries are left out; of two with the same path the first counts.
 */
export function parseShare(value: YamlValue, report: ReportProblem): SharedFolder[] | undefined {
  const items = parseItems(value, 'share', {example: '[node_modules]', max: maxShared}, report);
  const leaveOut = withConsequence('it is left out', report);
  const folders = items?.flatMap(
    ({item, path}) => parseSharedFolder(item, path, report, leaveOut) ?? [],
  );
  return folders?.filter(
    (folder, index) =>
      folders.findIndex((other) => sharedPath(other) === sharedPath(folder)) === index,
  );
}

export function sharedPath(folder: SharedFolder): string {
  return typeof folder === 'string' ? folder : folder.path;
}

const folderSchema = textSchema('the path of a folder', parseFolder);

const hardLinkSchema = z.literal('hard-link', {
  error: ({input}) => expectedGot('"hard-link"', input, 'Leave it out for a separate copy.'),
});

function parseSharedFolder(
  item: YamlValue,
  place: string,
  report: ReportProblem,
  leaveOut: ReportProblem,
): SharedFolder | undefined {
  if (item.is !== 'mapping') return parseWithSchema(folderSchema, item, place, leaveOut);
  const fields = parseMappingFields(item, place, {known: ['path', 'by']}, report);
  const [pathField, by] = [fields.get('path'), fields.get('by')];
  if (pathField?.is !== 'text') {
    leaveOut(
      item.line,
      `${place}: expected path, the path of a folder. Write {path: node_modules, by: hard-link}.`,
    );
    return undefined;
  }

  const path = parseWithSchema(folderSchema, pathField, place, leaveOut);
  if (path === undefined || by === undefined) return path;
  const way = parseWithSchema(hardLinkSchema, by, `${place}.by`, leaveOut);
  return way && {path, by: way};
}

/**
 * `setup:` is a command, or fields: the command, and whether it also runs in the planner's
 * worktree.
 */
export function parseSetup(
  value: YamlValue,
  report: ReportProblem,
): Pick<Project, 'setup' | 'plannerSetup'> {
  const reject = withConsequence('nothing is set up', report);
  if (value.is !== 'mapping') {
    const setup = parseWithSchema(commandSchema, value, 'setup', reject);
    return setup === undefined ? {} : {setup};
  }

  const fields = parseMappingFields(value, 'setup', {known: ['command', 'planner']}, report);
  const commandField = fields.get('command');
  if (commandField === undefined)
    reject(
      value.line,
      'setup: expected a command, as in "setup: {command: npm ci, planner: true}". Write it.',
    );
  const setup =
    commandField && parseWithSchema(commandSchema, commandField, 'setup.command', reject);
  const planner = fields.get('planner');
  const plannerSetup =
    planner === undefined
      ? undefined
      : parseWithSchema(
          booleanSchema,
          planner,
          'setup.planner',
          withConsequence('only the worktrees of tasks and merges are set up', report),
        );
  return {
    ...(setup === undefined ? {} : {setup}),
    ...(plannerSetup === true && setup !== undefined ? {plannerSetup} : {}),
  };
}

/**
 * The range counts as a whole or not at all: half of it would give tasks other ports than the file
 * seems to say.
 */
export function parsePorts(mapping: YamlMapping, report: ReportProblem): Project['ports'] {
  const usual = getPortRange({});
  const reject = withConsequence(
    `ports are given from ${usual.from} on, ${usual.perTask} to a task`,
    report,
  );
  const faults: number[] = [];
  const {from = usual.from, perTask = usual.perTask} = parseEachField(
    portsShape,
    mapping,
    'ports',
    report,
    () => (line, text) => {
      faults.push(line);
      reject(line, text);
    },
  );
  return faults.length > 0 ? undefined : {from, perTask};
}

const portsShape = {
  from: numberSchema({least: 1024, most: 60_000}),
  perTask: numberSchema({least: 1, most: 100}),
};
