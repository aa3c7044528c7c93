import type {SessionId} from '../../../domain/index.ts';
import type {Workshop} from '../../workshop.ts';

/** What was last given to a shell, noted before it is typed: who asks again, also after a crash, gets on with the same. */
export type ShellCall = {
  readonly nonce: string;
  /** The name of the agent's call, if it gave one. */
  readonly call?: string;
  readonly command: string;
  /** The number of the input that types it. */
  readonly input: number;
  /** Where the output ended before. */
  readonly from: number;
  readonly at: number;
  /** When it was first seen to run. Before, the shell stands at its prompt still. */
  readonly begunAt?: number;
  /** How it ended; `status` is unknown for what is no shell. */
  readonly end?: {readonly status?: number; readonly at: number};
};

export function shellCallOf(
  {store}: Pick<Workshop, 'store'>,
  shell: SessionId,
): ShellCall | undefined {
  const note = store.noteOf(shell, 'shell-call') as ShellCall | undefined;
  return typeof note?.nonce === 'string' ? note : undefined;
}

export function noteShellCall(
  {store}: Pick<Workshop, 'store'>,
  shell: SessionId,
  call: ShellCall,
): void {
  store.writeNote(shell, 'shell-call', call);
}
