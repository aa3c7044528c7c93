import type {JobTools} from './job.ts';

/** One server of tools as an agent's settings name it. */
export type ToolServerCommand = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Ours first, then the task's. */
export function toolServersOf(tools: JobTools | undefined): ToolServerCommand[] {
  if (tools === undefined) return [];
  const [command = '', ...args] = tools.argv;
  return [ownServer, ...(tools.servers ?? [])].map((name) => ({
    name,
    command,
    args: name === ownServer ? args : [...args, '--server', name],
    env: tools.env,
  }));
}

export const ownServer = 'orchestra';

/** Above all that a call of ours waits for, so that we are the ones to say that there is no answer yet. */
export function toolTimeoutOf({waitMs = 600_000}: Pick<JobTools, 'waitMs'>): number {
  return waitMs + 60_000;
}

/** An external server may be fetched first (`npx`). */
export const startTimeoutMs = 60_000;
