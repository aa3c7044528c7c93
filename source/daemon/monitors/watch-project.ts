import path from 'node:path';
import {isSame} from '../../shared/index.ts';
import {parseProject} from '../../project-config/index.ts';
import {fileFingerprint, readRegularFile} from '../../files/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';

export type ProjectOptions = {
  readonly root: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Called when a changed project file has been journaled. */
  readonly onRead?: () => Promise<void>;
};

/** How often the project file is checked for changes. */
const checkMs = 1000;

/**
 * Applies changes of the project file at once, so that declaring a service there needs no restart.
 * `before` is its fingerprint from before it was first read, so that no change since then is
 * missed.
 */
export async function watchProject(
  conductor: Conductor,
  options: ProjectOptions,
  signal: AbortSignal,
  before: string,
): Promise<void> {
  for (let seen = before; ;) {
    await pauseFor(checkMs, signal);
    if (signal.aborted) return;
    const now = projectFingerprint(options.root);
    if (now === seen) continue;
    seen = now;
    // Ignored on a full disk: the file is read again when the daemon restarts.
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

/**
 * Half written, not YAML or not a file: the previous settings stay, since agents, services and the
 * sandbox rely on them.
 */
export function isUnreadable({value, problems}: ReturnType<typeof parseProject>): boolean {
  return problems.length > 0 && isSame(value, parseProject('').value);
}

export function readProjectFile(root: string): ReturnType<typeof parseProject> {
  const reading = readRegularFile(toProjectFile(root), {
    maxBytes,
    below: root,
    links: 'inside',
  });
  if (reading.at === 'read') return parseProject(reading.bytes);
  const nothing = parseProject('');
  return reading.why === 'missing'
    ? nothing
    : {...nothing, problems: [{line: 1, text: `the file ${reading.message}.`}]};
}

const maxBytes = 16 * 1024 * 1024;

function toProjectFile(root: string): string {
  return path.join(root, '.orchestra', 'project.yaml');
}

/** Differs for different versions of the project file. */
export function projectFingerprint(root: string): string {
  return fileFingerprint(toProjectFile(root));
}
