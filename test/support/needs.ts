import process from 'node:process';
import {spawnSync} from 'node:child_process';
import {findProgram} from '../../source/system/index.ts';
import {findSandbox} from '../../source/sandbox/index.ts';

/** A program that tests need and a machine may lack. `npm run setup:machine` installs them all. */
export type Need = 'tmux' | 'bubblewrap' | 'python3';

const commands: Readonly<Record<Need, string>> = {
  tmux: 'tmux',
  bubblewrap: 'bwrap',
  python3: 'python3',
};

/**
 * Options of a test, or of a suite, that needs programs: it is skipped with the reason where one is
 * missing. CI installs them all, and fails when anything was skipped.
 */
export function needs(...programs: readonly Need[]): {readonly skip: string | false} {
  const reasons = programs.map(findObstacle).filter((reason) => reason !== undefined);
  return {skip: reasons.length === 0 ? false : reasons.join('; ')};
}

/** The sandbox's program. Only tests with `needs('bubblewrap')` may ask for it. */
export function bubblewrap(): string {
  const file = findFile('bubblewrap');
  if (file === undefined)
    throw new Error(
      "expected bubblewrap, got no such program: mark the test with needs('bubblewrap')",
    );
  return file;
}

function findObstacle(need: Need): string | undefined {
  const file = findFile(need);
  if (file === undefined) return `${need} is not installed; npm run setup:machine installs it`;
  return need === 'bubblewrap' ? findSandboxObstacle(file) : undefined;
}

/** An installed bubblewrap is of no use where the kernel, or a container, allows no namespaces. */
function findSandboxObstacle(file: string): string | undefined {
  const {status, stderr} = spawnSync(file, findSandbox('linux')?.processesTrial ?? [], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `bubblewrap does not work here: ${stderr.trim()}`;
}

function findFile(need: Need): string | undefined {
  return findProgram(commands[need], {path: process.env['PATH'] ?? ''}).file;
}
