import {sanitizeText} from '../../base/index.ts';
import {ageOf} from '../sessions/columns.ts';

/** Which environment the sessions of a run get, by name; of the values only PATH. */
export type EnvironmentReport = {
  readonly run: string;
  /** `shell`: of whoever asked for the run or renewed it. `daemon`: whoever asked sent none. `unkept`: a run of an older version; its sessions get what the daemon was last started with. */
  readonly from: 'shell' | 'daemon' | 'unkept';
  /** When it was taken. */
  readonly at?: number;
  readonly hash?: string;
  readonly path: readonly string[];
  readonly names: readonly string[];
  /** Named in `environment:` of the project file, and not there: what asked had no such variable, or it was named later. */
  readonly missing: readonly string[];
  /** Why nothing can be started with it, and what to do. */
  readonly trouble?: string;
  /** Of a session: it began before the environment was renewed. */
  readonly session?: {readonly id: string; readonly isOlder: boolean};
  /** Against the shell that asks. */
  readonly differs?: EnvironmentDifference;
};

export type EnvironmentDifference = {
  readonly changed: readonly string[];
  /** The run has it, this shell does not. */
  readonly onlyRun: readonly string[];
  readonly onlyHere: readonly string[];
  readonly path?: {
    readonly onlyRun: readonly string[];
    readonly onlyHere: readonly string[];
    /** The same directories in another order. */ readonly isReordered: boolean;
  };
};

type Hashes = readonly {readonly name: string; readonly hash: string}[];

/** By hashes, so that no value is needed to tell. */
export function compareEnvironments(
  run: {readonly variables: Hashes; readonly path: readonly string[]},
  here: {readonly variables: Hashes; readonly path: readonly string[]},
): EnvironmentDifference {
  const [kept, own] = [run, here].map(
    ({variables}) => new Map(variables.map(({name, hash}) => [name, hash])),
  ) as [Map<string, string>, Map<string, string>];
  const changed = [...kept.keys()]
    .filter((name) => own.has(name) && own.get(name) !== kept.get(name))
    .sort();
  const onlyRun = run.path.filter((entry) => !here.path.includes(entry));
  const onlyHere = here.path.filter((entry) => !run.path.includes(entry));
  return {
    changed,
    onlyRun: [...kept.keys()].filter((name) => !own.has(name)).sort(),
    onlyHere: [...own.keys()].filter((name) => !kept.has(name)).sort(),
    ...(changed.includes('PATH') && {
      path: {onlyRun, onlyHere, isReordered: onlyRun.length === 0 && onlyHere.length === 0},
    }),
  };
}

/** For a terminal: one fact a line. */
export function formatEnvironmentReport(report: EnvironmentReport, now: number): string {
  return environmentLines(report, now)
    .map((line) => `${sanitizeText(line)}\n`)
    .join('');
}

export function environmentLines(report: EnvironmentReport, now: number): readonly string[] {
  const {run, path, names, missing, trouble, session, differs} = report;
  return [
    `Environment: ${originOf(report, now)}`,
    ...(session?.isOlder === true
      ? [`  ${session.id} began before it was renewed, and has the one before.`]
      : []),
    ...(trouble === undefined ? [] : [`  In the way: ${trouble}`]),
    ...(path.length === 0 ? [] : ['  PATH:', ...path.map((entry) => `    ${entry}`)]),
    ...(names.length === 0 ? [] : [`  Variables: ${names.join(', ')}`]),
    ...(missing.length === 0
      ? []
      : [
          `  Named in environment: of .orchestra/project.yaml, and not there: ${missing.join(', ')}. Set it in your shell, then: orchestra env refresh ${run}`,
        ]),
    ...(differs === undefined ? [] : differenceLines(run, differs)),
  ];
}

function originOf({run, from, at}: EnvironmentReport, now: number): string {
  const age = at === undefined ? '' : `, ${ageOf(now - at)} ago`;
  switch (from) {
    case 'shell':
      return `of the shell that asked for ${run} or renewed it${age}; every session of ${run} gets it`;
    case 'daemon':
      return `of the daemon when ${run} was asked for${age}: whoever asked sent none; every session of ${run} gets it`;
    case 'unkept':
      return `of whoever started the daemon: ${run} is of a version that kept none. To keep yours: orchestra env refresh ${run}`;
  }
}

function differenceLines(
  run: string,
  {changed, onlyRun, onlyHere, path}: EnvironmentDifference,
): readonly string[] {
  if (changed.length + onlyRun.length + onlyHere.length === 0)
    return ['  This shell has the same.'];
  return [
    '  This shell differs:',
    ...(changed.length === 0 ? [] : [`    another value: ${changed.join(', ')}`]),
    ...(onlyRun.length === 0 ? [] : [`    only in ${run}: ${onlyRun.join(', ')}`]),
    ...(onlyHere.length === 0 ? [] : [`    only here: ${onlyHere.join(', ')}`]),
    ...(path === undefined
      ? []
      : path.isReordered
        ? ['    PATH has the same directories in another order']
        : [
            ...path.onlyRun.map((entry) => `    PATH only in ${run}: ${entry}`),
            ...path.onlyHere.map((entry) => `    PATH only here: ${entry}`),
          ]),
    `  To take this shell's: orchestra env refresh ${run}`,
  ];
}
