import {UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {run, type RunOptions} from './run.ts';

export type OpenArguments = Pick<
  RunOptions,
  'agent' | 'model' | 'playbook' | 'skill' | 'tokens' | 'detach' | 'json'
> & {
  readonly branch?: string;
  readonly on?: string;
  readonly resume?: string;
  readonly headless?: boolean;
  readonly interactive?: boolean;
};

/** Starts an agent in a worktree of its own, without a planner. The start is the approval. */
export async function open(
  objective: string | undefined,
  options: OpenArguments,
  cli: CliContext,
): Promise<ExitCode> {
  const {branch, on, resume, headless, interactive, ...rest} = options;
  const text = objective?.trim() ?? '';
  if (headless === true && interactive === true)
    throw new UsageError('expected --headless or --interactive, got both');
  if (text === '' && headless === true)
    throw new UsageError(
      'a headless agent needs to know what to do: orchestra open "what to do" --headless',
    );
  return run(
    text === '' ? untitled : text,
    {
      ...rest,
      ...toWorkers(headless, interactive),
      open: {
        ...(branch === undefined ? {} : {branch}),
        ...(on === undefined ? {} : {on}),
        ...(resume === undefined ? {} : {conversation: resume}),
        ...(text === '' ? {withoutPrompt: true} : {}),
      },
    },
    cli,
  );
}

/** The title of a session that was opened without an objective. */
const untitled = 'A session without an objective';

/** Absent: the default of the project. */
function toWorkers(headless?: boolean, interactive?: boolean): Pick<RunOptions, 'workers'> {
  if (headless === true) return {workers: 'headless'};
  return interactive === true ? {workers: 'interactive'} : {};
}
