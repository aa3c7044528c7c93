import path from 'node:path';
import {newLines, type SeenLines} from '../documents/index.ts';
import {
  runIdIn,
  runIdOfSession,
  runOf,
  worktreeOf,
  worktreeOwnerOf,
  type Session,
} from '../domain/index.ts';
import {readEnd} from '../keeper/index.ts';
import {newestChange, processesOf, workOf, type NewestChange} from '../machine/index.ts';
import {driverFor} from './launch/agent-launch.ts';
import {readOutput} from './perform/read-output.ts';
import {readActivity} from './read-activity.ts';
import {rootsOf} from './session-report.ts';
import type {Workshop} from './workshop.ts';

/** What is known of an agent from the looks before. */
export type Look = {
  readonly at: number;
  /** Its last progress. */
  readonly since: number;
  readonly end: number;
  readonly lines: SeenLines;
  readonly stream: number;
  readonly work: number;
  readonly changed?: NewestChange;
};

/** A part of one core, over the time between two looks. Less than this is what processes use that only wait. */
const workShare = 0.05;

/** Output that is compared with what was printed before. */
const maxOutputBytes = 64 * 1024;

/**
 * Progress is: new words in its stream, or, of an agent without one, a new line on its screen; a change in its worktree; processes
 * that it started and that work. That its service is asked again is none, nor is what its own process uses of the processor.
 */
export async function lookAtAgent(
  workshop: Workshop,
  session: Session,
  before: Look | undefined,
): Promise<Look> {
  const {isStreamed, program} = agentOf(workshop, session);
  const activity = readActivity(workshop, session.id);
  const {end} = readEnd(workshop.store.directoryOf(session.id));
  const printed =
    isStreamed || end === before?.end
      ? {isNew: false, seen: before?.lines ?? new Set<string>()}
      : newLines(
          before?.lines ?? new Set(),
          readOutput(workshop, session.id, Math.min(maxOutputBytes, end - (before?.end ?? 0))),
        );
  const stream = activity?.progress ?? 0;
  const work = await workIn(workshop, session, isStreamed ? program : undefined);
  const changed = changeIn(workshop, session);
  const now = workshop.now();
  // As long as its service is asked again, or no tool of its runs, nothing that it started works for it.
  const mayWork = activity?.retry === undefined && activity?.running !== 0;
  const isWorking =
    before !== undefined &&
    mayWork &&
    work - before.work >= workShare * Math.max(1, now - before.at);
  const isProgress =
    before === undefined ||
    printed.isNew ||
    stream !== before.stream ||
    isWorking ||
    changed?.at !== before.changed?.at ||
    changed?.file !== before.changed?.file;
  return {
    at: now,
    since: isProgress ? now : before.since,
    end,
    lines: printed.seen,
    stream,
    work,
    ...(changed !== undefined && {changed}),
  };
}

/** Whether its stream says what it does, and how its program is called. */
function agentOf(
  workshop: Workshop,
  session: Session,
): {readonly isStreamed: boolean; readonly program: string} {
  const run = runOf(workshop.state(), runIdOfSession(session) ?? 'r0');
  try {
    const driver =
      run === undefined
        ? undefined
        : driverFor(workshop, run, {for: session.purpose.for === 'plan' ? 'plan' : 'attempt'});
    return {isStreamed: driver?.stream !== undefined, program: driver?.program ?? ''};
  } catch {
    return {isStreamed: false, program: ''};
  }
}

async function workIn(
  workshop: Workshop,
  session: Session,
  program: string | undefined,
): Promise<number> {
  const [root] = rootsOf(workshop, [session]);
  const tree = root?.root === undefined ? undefined : await processesOf(root, workshop.kernel);
  if (root?.root === undefined || tree === undefined || !('value' in tree)) return 0;
  const network = workshop.networkProgram.join(' ');
  return workOf({
    members: tree.value.members,
    root: root.root.pid,
    isWrapper: (command) => isWrapper(command, network),
    isAgent: (command) => program !== undefined && firstWordOf(command) === program,
  });
}

/** A sandbox, what stands before the network, our renderer. */
function isWrapper(command: string, network: string): boolean {
  return (
    /^(?:bwrap|sandbox-exec)$/.test(firstWordOf(command)) ||
    (network !== '' && command.includes(network)) ||
    command.includes(' agent run --agent ')
  );
}

function firstWordOf(command: string): string {
  return path.basename(command.split(' ', 1)[0] ?? '');
}

export function changeIn(workshop: Workshop, session: Session): NewestChange | undefined {
  const owner = worktreeOwnerOf(session);
  const run = owner === undefined ? undefined : runOf(workshop.state(), runIdIn(owner));
  const place = owner === undefined || run === undefined ? undefined : worktreeOf(run, owner)?.path;
  const changed = place === undefined ? undefined : newestChange(place);
  return place === undefined || changed === undefined
    ? undefined
    : {...changed, file: path.relative(place, changed.file)};
}
