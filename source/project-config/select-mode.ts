import type {AgentRole, OwnInterfaces, Project, WorkerMode} from '../domain/index.ts';

/** From where a run is asked for, and who is there to look at it. */
export type ModePlace = {
  readonly from: 'app' | 'command-line';
  readonly hasTerminal: boolean;
  readonly isCi: boolean;
  readonly isQueued: boolean;
};

export type ModeRequest = {
  readonly role: AgentRole;
  readonly agent: string;
  /** What the run itself asks for. */
  readonly asked?: WorkerMode | undefined;
  /** What the person chose in the app, now or earlier. */
  readonly remembered?: WorkerMode | undefined;
  readonly project: Pick<Project, 'agents' | 'modes' | 'planners' | 'workers'>;
  /** Of the built-in agents. */
  readonly interfaces: OwnInterfaces;
  readonly place: ModePlace;
};

export type ModeChoice = {
  readonly mode: WorkerMode;
  /** A part of a sentence: `your choice`. */
  readonly why: string;
  /** Nobody chose it. */
  readonly isDefault: boolean;
};

/**
 * Chooses whether an agent runs in its own interface or headless: by the run's option, else by the
 * person's choice in the app, the agent's entry in the project file, the project's, or the default.
 * Asking for an interface by name where there is none is rejected; a general choice gives way.
 */
export function selectMode(request: ModeRequest): ModeChoice | {readonly rejected: string} {
  const {role, agent, asked, remembered, project, interfaces, place} = request;
  const field = role === 'worker' ? 'workers' : 'planners';
  const modes = project.modes ?? {};
  const entry = Object.hasOwn(modes, agent) ? modes[agent]?.[field] : undefined;
  const provenAs = findInterface(agent, project, interfaces);
  const choices = [
    {mode: asked, why: 'as asked for', isNamed: true},
    {mode: remembered, why: 'your choice', isNamed: false},
    {mode: entry, why: `agents.${agent}.${field} of the project`, isNamed: true},
    {mode: project[field], why: `${field} of the project`, isNamed: false},
  ];
  const chosen = choices.find(({mode}) => mode !== undefined);
  if (chosen?.mode === undefined) {
    const why = whyHeadless(request, provenAs);
    return why === undefined
      ? {mode: 'interactive', why: `proven with ${agent}`, isDefault: true}
      : {mode: 'headless', why, isDefault: true};
  }

  const {mode, why, isNamed} = chosen;
  if (mode === 'headless' || provenAs !== undefined) return {mode, why, isDefault: false};
  if (!isNamed) return {mode: 'headless', why: noInterface(agent), isDefault: true};
  const flag = role === 'worker' ? '--interactive' : '--planners';
  const source = asked === undefined ? why : (askedBy[place.from] ?? flag);
  return {
    rejected:
      `expected an agent with an interface of its own (${listInterfaces(project, interfaces)}), ` +
      `got ${agent}. Choose one of them, or change ${source}`,
  };
}

/** The command line is asked by an option. */
const askedBy: Readonly<Partial<Record<ModePlace['from'], string>>> = {app: 'your choice'};

/** Why the default is headless; undefined if it is interactive. */
function whyHeadless(
  {role, agent, place}: ModeRequest,
  provenAs: readonly AgentRole[] | undefined,
): string | undefined {
  if (place.isQueued) return 'it may start when nobody is there';
  if (place.isCi) return 'CI is set';
  if (!place.hasTerminal) return 'there is no terminal';
  if (place.from === 'command-line') return 'the command line shows no panes';
  if (provenAs === undefined) return noInterface(agent);
  if (!provenAs.includes(role))
    return `not proven for ${role === 'worker' ? 'work' : 'planning'} yet`;
  return undefined;
}

function noInterface(agent: string): string {
  return `${agent} has no interface that orchestra can follow`;
}

/** An agent that the project declares replaces a built-in one; it has an interface to type into. */
function findInterface(
  agent: string,
  {agents = []}: Pick<Project, 'agents'>,
  interfaces: OwnInterfaces,
): readonly AgentRole[] | undefined {
  const declared = agents.find(({name}) => name === agent);
  if (declared !== undefined) return declared.prompt === 'typed' ? [] : undefined;
  return Object.hasOwn(interfaces, agent) ? interfaces[agent] : undefined;
}

function listInterfaces(project: Pick<Project, 'agents'>, interfaces: OwnInterfaces): string {
  const names = [
    ...new Set([...Object.keys(interfaces), ...(project.agents ?? []).map(({name}) => name)]),
  ].filter((name) => findInterface(name, project, interfaces) !== undefined);
  return names.length === 0 ? 'there is none' : names.join(', ');
}

/** Whether a continuous integration service runs us. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  const value = env['CI'] ?? '';
  return value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
