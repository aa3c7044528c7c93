import type {Project} from '../../domain/index.ts';
import {type Report, readFields, until} from './read-fields.ts';
import {readCommand} from './read-values.ts';
import {type YamlValue, describeYaml} from './yaml-value.ts';

/** `setup:` is a command, or fields: the command, and whether the planner's worktree is set up as well. */
export function readSetupField(
  value: YamlValue,
  report: Report,
): Pick<Project, 'setup' | 'plannerSetup'> {
  const refuse = until('nothing is set up', report);
  if (value.is !== 'mapping') {
    const setup = readCommand(value, 'setup', refuse);
    return setup === undefined ? {} : {setup};
  }

  const fields = readFields(value, 'setup', {known: ['command', 'planner']}, report);
  const commandField = fields.get('command');
  if (commandField === undefined)
    refuse(
      value.line,
      'setup: expected a command, as in "setup: {command: npm ci, planner: true}". Write it.',
    );
  const setup = commandField && readCommand(commandField, 'setup.command', refuse);
  const planner = fields.get('planner');
  const plannerSetup =
    planner === undefined
      ? undefined
      : readTruth(
          planner,
          'setup.planner',
          until('only the worktrees of tasks and merges are set up', report),
        );
  return {
    ...(setup === undefined ? {} : {setup}),
    ...(plannerSetup === true && setup !== undefined ? {plannerSetup} : {}),
  };
}

/** `true`, `on` or `yes`; `false`, `off` or `no`. */
export function readTruth(value: YamlValue, path: string, refuse: Report): boolean | undefined {
  const word = value.is === 'text' ? value.text : value.is === 'other' ? value.what : '';
  if (['true', 'on', 'yes'].includes(word)) return true;
  if (['false', 'off', 'no'].includes(word)) return false;
  refuse(value.line, `${path}: expected true or false, got ${describeYaml(value)}. Change it.`);
  return undefined;
}
