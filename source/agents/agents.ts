import type {Agent, AgentSpec, Driver, AgentRefusal} from './driver.ts';
import {claude, claudeDriver} from './claude.ts';
import {codex, codexDriver} from './codex.ts';
import {gemini, geminiDriver} from './gemini.ts';
import {genericDriver} from './generic.ts';
import {opencode, opencodeDriver} from './opencode.ts';
import {pi, piDriver} from './pi.ts';
import {playbook, playbookDriver} from './playbook.ts';
import type {OwnInterfaces, Project} from '../domain/index.ts';

/** The known agents, in the order in which one is chosen if none is configured. */
export const agents: readonly Agent[] = [claude, codex, gemini, opencode, pi, playbook];

/** The built-in drivers. */
export const drivers: readonly Driver[] = [
  claudeDriver,
  codexDriver,
  geminiDriver,
  opencodeDriver,
  piDriver,
  playbookDriver,
];

/**
 * Finds a driver by name. An agent that the project declares replaces a built-in one of the same
 * name.
 */
export function findDriver(
  name: string,
  declared: readonly AgentSpec[],
): {readonly driver: Driver} | AgentRefusal {
  const spec = declared.find((candidate) => candidate.name === name);
  const driver =
    spec === undefined ? drivers.find((candidate) => candidate.name === name) : genericDriver(spec);
  if (driver !== undefined) return {driver};

  const names = new Set([...declared, ...drivers].map((one) => one.name));
  return {
    refused:
      `there is no agent "${name}". There are: ${[...names].join(', ')}. Others are ` +
      'declared under "agents:" in .orchestra/project.yaml.',
  };
}

/** The built-in agents with an interface of their own, and the roles in which it is proven. */
export const ownInterfaces: OwnInterfaces = Object.fromEntries(
  drivers.flatMap(({name, interactive}) =>
    interactive === undefined ? [] : [[name, interactive.provenAs ?? []]],
  ),
);
/** The agents that a run, a task or the project may name, by whether their program is here. */
export function groupAgents(
  declared: readonly AgentSpec[],
  isInstalled: (program: string) => boolean,
): {readonly installed: readonly string[]; readonly missing: readonly string[]} {
  const known = [
    ...declared.map((spec) => genericDriver(spec)),
    ...drivers.filter(({name}) => !declared.some((spec) => spec.name === name)),
  ];
  const isHere = ({isBuiltIn, program}: Driver): boolean => isBuiltIn || isInstalled(program);
  const names = (some: readonly Driver[]): string[] => some.map(({name}) => name);
  return {
    installed: names(known.filter(isHere)),
    missing: names(known.filter((driver) => !isHere(driver))),
  };
}

/** Chooses a default agent. `found` has the names of the agents whose command is on PATH. */
export function chooseAgent(found: readonly string[]): Agent {
  return (
    agents.find(({name, program}) => program === undefined || found.includes(name)) ?? playbook
  );
}

/**
 * Names of the variables that a run's agents need and that the project's tool servers may see. A
 * name may end in `*`.
 */
export function neededVariables(
  {agents = [], tools = []}: Pick<Project, 'agents' | 'tools'>,
  names: readonly string[],
): readonly string[] {
  const needs = names.flatMap((name) => {
    const found = findDriver(name, agents);
    return 'driver' in found ? (found.driver.needs ?? []) : [];
  });
  return [...new Set([...needs, ...tools.flatMap(({environment = []}) => environment)])];
}

/**
 * The line in which an agent reports that the conversation to resume does not exist: the agent
 * ended before saving it, or somebody removed it. Undefined for a long output: then the agent has
 * started, whatever its output contains.
 */
export function findLostConversation(agent: string, output: string): string | undefined {
  const missing = agents.find(({name}) => name === agent)?.program?.lost;
  const lines = output
    .slice(0, maxOutputCharacters + 1)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (missing === undefined || output.length > maxOutputCharacters || lines.length > maxOutputLines)
    return undefined;
  return lines.find((line) => missing.test(line));
}

/** Room for the message and a few warnings, but not for a whole screen. */
const maxOutputCharacters = 4000;
const maxOutputLines = 12;
