import {sanitizeText} from '../shared/index.ts';
import {formatAge} from './terminal-text.ts';

/** The environment that a run's sessions get: names of variables only, and the value of PATH. */
export type EnvironmentReport = {
  readonly run: string;
  /**
   * `shell`: from the shell that requested the run or refreshed it. `daemon`: the request had none.
   * `unkept`: a run of an older version, whose sessions get the environment that the daemon was
   * last started with.
   */
  readonly from: 'shell' | 'daemon' | 'unkept';
  /** When it was captured. */
  readonly at?: number;
  readonly hash?: string;
  readonly path: readonly string[];
  readonly names: readonly string[];
  /**
   * Named in `environment:` of the project file but not set: the shell had no such variable, or it
   * was named later.
   */
  readonly missing: readonly string[];
  /** Why no session can be started with it, and what to do. */
  readonly trouble?: string;
  /** `isOlder`: the session started before the environment was refreshed. */
  readonly session?: {readonly id: string; readonly isOlder: boolean};
  /** Compared with the shell of the caller. */
  readonly differs?: EnvironmentDifference;
};

export type EnvironmentDifference = {
  readonly changed: readonly string[];
  /** Set in the run, not in this shell. */
  readonly onlyRun: readonly string[];
  readonly onlyHere: readonly string[];
  readonly path?: {
    readonly onlyRun: readonly string[];
    readonly onlyHere: readonly string[];
    /** The same directories in another order. */
    readonly isReordered: boolean;
  };
};

type Hashes = readonly {readonly name: string; readonly hash: string}[];

/** Compares hashes, so that no value leaves the daemon. */
export function compareEnvironments(
  run: {readonly variables: Hashes; readonly path: readonly string[]},
  shell: {readonly variables: Hashes; readonly path: readonly string[]},
): EnvironmentDifference {
  const inRun = toHashMap(run.variables);
  const inShell = toHashMap(shell.variables);
  const changed = [...inRun.keys()]
    .filter((name) => inShell.has(name) && inShell.get(name) !== inRun.get(name))
    .sort();
  const onlyRun = run.path.filter((entry) => !shell.path.includes(entry));
  const onlyHere = shell.path.filter((entry) => !run.path.includes(entry));
  return {
    changed,
    onlyRun: [...inRun.keys()].filter((name) => !inShell.has(name)).sort(),
    onlyHere: [...inShell.keys()].filter((name) => !inRun.has(name)).sort(),
    ...(changed.includes('PATH') && {
      path: {onlyRun, onlyHere, isReordered: onlyRun.length === 0 && onlyHere.length === 0},
    }),
  };
}

function toHashMap(variables: Hashes): ReadonlyMap<string, string> {
  return new Map(variables.map(({name, hash}) => [name, hash]));
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
    `Environment: ${formatOrigin(report, now)}`,
    ...(session?.isOlder === true
      ? [`  ${session.id} started before the refresh and has the earlier environment.`]
      : []),
    ...(trouble === undefined ? [] : [`  Problem: ${trouble}`]),
    ...(path.length === 0 ? [] : ['  PATH:', ...path.map((entry) => `    ${entry}`)]),
    ...(names.length === 0 ? [] : [`  Variables: ${names.join(', ')}`]),
    ...(missing.length === 0
      ? []
      : [
          '  Listed under environment: in .orchestra/project.yaml, but not set: ' +
            `${missing.join(', ')}. Set it in your shell, then: orchestra env refresh ` +
            run,
        ]),
    ...(differs === undefined ? [] : differenceLines(run, differs)),
  ];
}

function formatOrigin({run, from, at}: EnvironmentReport, now: number): string {
  const age = at === undefined ? '' : `, ${formatAge(now - at)} ago`;
  switch (from) {
    case 'shell':
      return `from the shell that started or refreshed ${run}${age}; every session of ${run} gets it`;
    case 'daemon':
      return (
        `from the daemon when ${run} was started${age}, because the request had none; ` +
        `every session of ${run} gets it`
      );
    case 'unkept':
      return (
        `from the shell that started the daemon: ${run} comes from a version that stored ` +
        `none. To use yours: orchestra env refresh ${run}`
      );
  }
}

function differenceLines(
  run: string,
  {changed, onlyRun, onlyHere, path}: EnvironmentDifference,
): readonly string[] {
  if (changed.length + onlyRun.length + onlyHere.length === 0)
    return ['  This shell has the same environment.'];
  return [
    '  This shell differs:',
    ...(changed.length === 0 ? [] : [`    different value: ${changed.join(', ')}`]),
    ...(onlyRun.length === 0 ? [] : [`    only in ${run}: ${onlyRun.join(', ')}`]),
    ...(onlyHere.length === 0 ? [] : [`    only here: ${onlyHere.join(', ')}`]),
    ...(path === undefined ? [] : pathLines(run, path)),
    `  To use the environment of this shell: orchestra env refresh ${run}`,
  ];
}

function pathLines(
  run: string,
  {onlyRun, onlyHere, isReordered}: NonNullable<EnvironmentDifference['path']>,
): readonly string[] {
  if (isReordered) return ['    PATH has the same directories in a different order'];
  return [
    ...onlyRun.map((entry) => `    PATH only in ${run}: ${entry}`),
    ...onlyHere.map((entry) => `    PATH only here: ${entry}`),
  ];
}
