import {existsSync} from 'node:fs';
import path from 'node:path';
import {agents, chooseAgent, driverOf, type AgentSpec} from '../../agents/index.ts';
import type {Project} from '../../domain/index.ts';
import {findProgram} from '../../machine/index.ts';
import {Impossible} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';

export type AgentWishes = {
  readonly agent?: string;
  readonly planner?: string;
  readonly playbook?: string;
};

/** Who plans and who works: what was said, else what the project says, else the first that is installed. */
export function chooseAgents(
  {agent, planner, playbook}: AgentWishes,
  project: Project,
  {env}: Pick<Surroundings, 'env'>,
  root: string,
): {readonly worker: string; readonly planner: string} {
  const declared = project.agents ?? [];
  const search = {path: env['PATH'] ?? '', outside: root};
  const installed = agents
    .filter(
      ({program}) =>
        program !== undefined && findProgram(program.command, search).file !== undefined,
    )
    .map(({name}) => name);
  const worker =
    agent ??
    (playbook === undefined ? undefined : 'playbook') ??
    project.worker ??
    chooseAgent(installed).name;
  const chosen = {
    worker,
    planner: planner ?? agent ?? (playbook === undefined ? project.planner : undefined) ?? worker,
  };
  for (const name of Object.values(chosen)) check(name, declared, playbook, search);
  return chosen;
}

function check(
  name: string,
  declared: readonly AgentSpec[],
  playbook: string | undefined,
  search: Parameters<typeof findProgram>[1],
): void {
  const found = driverOf(name, declared);
  if ('refused' in found) throw new Impossible(found.refused);
  const {driver} = found;
  if (driver.name === 'playbook' && playbook === undefined)
    throw new Impossible(
      'the built-in agent follows a playbook: name one with --playbook FILE, or choose another agent with --agent (see `orchestra doctor`)',
    );
  if (!driver.isBuiltIn && !isThere(driver.program, search))
    throw new Impossible(
      `${name} is not installed: there is no ${driver.program} on PATH. See \`orchestra doctor\`.`,
    );
}

/** A project may name a program by its path; whether it can be started shows when it is. */
function isThere(program: string, search: Parameters<typeof findProgram>[1]): boolean {
  return path.isAbsolute(program)
    ? existsSync(program)
    : findProgram(program, search).file !== undefined;
}
