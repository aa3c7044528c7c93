import {unbridged, unsupervised} from '../network/index.ts';
import {unsandboxed} from '../sandbox/index.ts';

/** The command that a session was started for, without what confines it. For people to read, not to be run. */
export function shownCommand(argv: readonly string[]): readonly string[] {
  return unbridged(unsandboxed(unsupervised(argv)));
}
