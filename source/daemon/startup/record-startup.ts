import path from 'node:path';
import {errorText} from '../../shared/index.ts';
import {describeEnding, type Journal} from '../../journal/index.ts';
import {recordRepository} from '../../config/index.ts';
import {narrowWorktrees, worktreesBeside} from '../../git/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {isUnreadable, readProjectFile} from '../monitors/watch-project.ts';
import type {ContextOptions} from './create-context.ts';

/**
 * Journals what a new daemon knows before it does anything: a torn journal, its own start, the
 * project file.
 */
export async function recordStartup(
  conductor: Conductor,
  journal: Journal,
  {build, root, now, log}: Pick<ContextOptions, 'root' | 'now' | 'log'> & {readonly build: string},
  name: string,
): Promise<void> {
  if (journal.status().mode !== 'writing') return;
  const {ending, tornCopy} = journal.found;
  if (ending.kind === 'torn') {
    log(describeEnding(ending) ?? '');
    await conductor.submit({
      type: 'report',
      at: now(),
      saw: {type: 'journal-truncated', bytes: ending.bytes, kept: path.basename(tornCopy ?? '')},
    });
  }

  await conductor.submit({
    type: 'report',
    at: now(),
    saw: {
      type: 'daemon-started',
      build,
      ...(conductor.state().journal === undefined ? {journal: name} : {}),
    },
  });
  const project = readProjectFile(root);
  for (const {line, text} of project.problems) log(`.orchestra/project.yaml:${line}: ${text}`);
  await conductor.submit({
    type: 'report',
    at: now(),
    saw: {
      type: 'project-read',
      project: isUnreadable(project) ? conductor.state().project : project.value,
    },
  });
}

/**
 * Records where the repository is, so that its state is found after the repository was moved.
 * Nothing else depends on it.
 */
export function recordPlace({
  stateDirectory,
  commonDirectory,
  log,
}: Pick<ContextOptions, 'stateDirectory' | 'commonDirectory' | 'log'>): void {
  try {
    recordRepository(stateDirectory, commonDirectory);
  } catch (error) {
    log(`the path of the repository could not be recorded: ${errorText(error)}`);
  }
}

/**
 * Takes other users' access to the worktrees away. Earlier versions created them readable for
 * everybody.
 */
export function hideWorktrees({
  root,
  commonDirectory,
  log,
}: Pick<ContextOptions, 'root' | 'commonDirectory' | 'log'>): void {
  try {
    narrowWorktrees({root, commonDirectory, worktrees: worktreesBeside(root)});
  } catch (error) {
    log(`the worktrees could not be closed to other users: ${errorText(error)}`);
  }
}
