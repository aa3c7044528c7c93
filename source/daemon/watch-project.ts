import path from 'node:path';
import {isSame} from '../base/index.ts';
import {readProject} from '../documents/index.ts';
import {filePrint, readRegularFile} from '../files/index.ts';
import type {Conductor} from './conductor.ts';
import {pauseFor} from './pause-for.ts';

export type ProjectOptions = {
  readonly root: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** What is written there now holds. */
  readonly onRead?: () => Promise<void>;
};

/** How often it is looked whether the project file is another one. */
const lookMs = 1000;

/**
 * What is written into the project file holds from now on: whoever is told to declare a service there need not restart anything.
 * `before` is its print from before it was first read, so that nothing is missed that was written since.
 */
export async function watchProject(
  conductor: Conductor,
  options: ProjectOptions,
  signal: AbortSignal,
  before: string,
): Promise<void> {
  for (let seen = before; ;) {
    await pauseFor(lookMs, signal);
    if (signal.aborted) return;
    const now = projectPrint(options.root);
    if (now === seen) continue;
    seen = now;
    // A disk that is full is looked at elsewhere; what was read is read again when the daemon comes back.
    await renewProject(conductor, options).catch(() => undefined);
  }
}

async function renewProject(
  conductor: Conductor,
  {root, now, log, onRead}: ProjectOptions,
): Promise<void> {
  const {value, problems} = readProjectFile(root);
  for (const {line, text} of problems) log(`.orchestra/project.yaml:${line}: ${text}`);
  if (isUnreadable({value, problems}) || isSame(value, conductor.state().project)) return;
  await conductor.submit({type: 'report', at: now(), saw: {type: 'project-read', project: value}});
  await onRead?.();
}

/** Half written, not YAML, or no file at all: what was read before holds, for agents and services that are at work rely on it, and so does the sandbox. */
export function isUnreadable({value, problems}: ReturnType<typeof readProject>): boolean {
  return problems.length > 0 && isSame(value, readProject('').value);
}

export function readProjectFile(root: string): ReturnType<typeof readProject> {
  const reading = readRegularFile(fileOf(root), {
    maxBytes: mostBytes,
    below: root,
    links: 'inside',
  });
  if (reading.at === 'read') return readProject(reading.bytes);
  const nothing = readProject('');
  return reading.why === 'missing'
    ? nothing
    : {...nothing, problems: [{line: 1, text: `the file ${reading.message}.`}]};
}

const mostBytes = 16 * 1024 * 1024;

function fileOf(root: string): string {
  return path.join(root, '.orchestra', 'project.yaml');
}

/** Tells two versions of the project file apart. */
export function projectPrint(root: string): string {
  return filePrint(fileOf(root));
}
