import {
  selectSession,
  selectShell,
  type SessionId,
  type TaskId,
  taskIdOfSession,
} from '../../../domain/index.ts';
import type {ToolAnswer} from '../../../protocol/index.ts';
import {pauseFor} from '../../engine/pacing.ts';
import {
  parseField,
  parseRequiredText,
  type Tool,
  type ToolContext,
  type ToolInvocation,
} from '../tool.ts';
import type {ShellUse} from './shell-call.ts';
import {useProgram} from './use-program.ts';
import {useShell} from './use-shell.ts';

const limits = {command: 64 * 1024, program: 200, openMs: 20_000, maxSeconds: 600};
const checkEveryMs = 50;

/** Shells that stay open between calls, with one call at a time in each. */
export function createShells(toolContext: ToolContext): Tool {
  const busy = new Set<string>();
  return async (call) => {
    const {session, input} = call;
    const name = parseField(input, 'name', 'text') ?? 'main';
    if (!/^[A-Za-z0-9][\w-]{0,31}$/.test(name))
      throw new Error(
        `expected a "name" of letters, digits, _ and -, got ${JSON.stringify(name).slice(0, 60)}`,
      );
    const task = taskIdOfSession(session);
    if (task === undefined) throw new Error('only a session that works on a task has shells');
    const key = `${task}/${name}`;
    if (busy.has(key))
      throw new Error(
        `another call is using the shell ${name}; wait for it, or choose another name`,
      );
    busy.add(key);
    try {
      return await use(toolContext, call, task, name);
    } finally {
      busy.delete(key);
    }
  };
}

async function use(
  toolContext: ToolContext,
  {session, input, call}: ToolInvocation,
  task: TaskId,
  name: string,
): Promise<ToolAnswer> {
  const command = parseRequiredText(input, 'command', limits.command);
  const program = selectProgram(
    parseField(input, 'program', 'text', limits.program),
    toolContext,
    task,
    name,
  );
  const seconds = parseField(input, 'timeoutSeconds', 'count');
  const timeoutMs =
    seconds === undefined
      ? toolContext.waitMs
      : Math.min(limits.maxSeconds, Math.max(1, seconds)) * 1000;
  const {shell, isNew} = await open(toolContext, session.id, task, {
    name,
    ...(program === undefined ? {} : {program}),
  });
  const wanted: ShellUse = {
    shell,
    caller: session.id,
    command,
    timeoutMs,
    isNew,
    ...(call === undefined ? {} : {call}),
  };
  return program === undefined ? useShell(toolContext, wanted) : useProgram(toolContext, wanted);
}

/** An open shell keeps its program, so a later call need not name it. */
function selectProgram(
  given: string | undefined,
  {context}: ToolContext,
  task: TaskId,
  name: string,
): string | undefined {
  const program = given?.trim().replaceAll(/\s+/g, ' ');
  const open = selectShell(context.state(), task, name)?.purpose;
  if (program === undefined || program === '')
    return open?.for === 'shell' ? open.program : undefined;
  if (['bash', 'sh', '/bin/bash', '/bin/sh'].includes(program)) return undefined;
  if (
    !/^[\w./+-]/.test(program) ||
    program.startsWith('-') ||
    (program.split(' ')[0] ?? '').includes('=')
  )
    throw new Error(`expected a "program" such as python3, got ${JSON.stringify(program)}`);
  return program;
}

/** Returns when the shell runs. One that has ended is opened again. */
async function open(
  {context, conductor, signal}: ToolContext,
  caller: SessionId,
  task: TaskId,
  wanted: {readonly name: string; readonly program?: string},
): Promise<{readonly shell: SessionId; readonly isNew: boolean}> {
  const {events, refused} = await conductor.submit({
    type: 'report',
    at: context.now(),
    saw: {type: 'shell-asked', session: caller, ...wanted},
  });
  if (refused !== undefined) throw new Error(refused);
  const shell = selectShell(context.state(), task, wanted.name)?.id;
  if (shell === undefined) throw new Error(`the shell ${wanted.name} could not be opened`);
  for (const end = context.now() + limits.openMs; ;) {
    const life = selectSession(context.state(), shell)?.life;
    if (life?.at === 'running')
      return {shell, isNew: events.some(({type}) => type === 'session-asked')};
    if (life === undefined || life.at === 'lost' || life.at === 'exited')
      throw new Error(
        `the shell ${wanted.name} could not be opened: ${life?.at === 'lost' ? life.why : 'it ended at once'}`,
      );
    if (signal.aborted || context.now() > end)
      throw new Error(`the shell ${wanted.name} is still being opened; call again`);
    await pauseFor(checkEveryMs, signal);
  }
}
