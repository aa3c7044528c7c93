import {isTerminalGone, toExitCode} from './create-terminal-session.ts';

export type Guard = <T extends readonly unknown[]>(
  act: (...given: T) => void,
) => (...given: T) => void;

/** An error in a callback ends the app, so that the terminal is restored. */
export function createGuard({
  resolve,
  reject,
}: Pick<PromiseWithResolvers<number>, 'resolve' | 'reject'>): Guard {
  return (act) =>
    (...given) => {
      try {
        act(...given);
      } catch (error) {
        if (isTerminalGone(error)) resolve(toExitCode('SIGHUP'));
        else reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
}

/** On exit the terminal may be gone already. */
export function leaveQuietly(leave: () => void): void {
  try {
    leave();
  } catch (error) {
    if (!isTerminalGone(error)) throw error;
  }
}
