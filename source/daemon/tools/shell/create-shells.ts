import {
  sessionOf,
  shellOf,
  taskIdOfSession,
  type SessionId,
  type TaskId,
} from '../../../domain/index.ts';
import type {ToolAnswer} from '../../../protocol/index.ts';
import {pauseFor} from '../../pause-for.ts';
import {fieldOf, textOf} from '../read-input.ts';
import type {Tool, ToolCall, ToolShop} from '../tool.ts';
import type {ShellUse} from './shell-use.ts';
import {useProgram} from './use-program.ts';
import {useShell} from './use-shell.ts';

const limits = {command: 64 * 1024, program: 200, openMs: 20_000, mostSeconds: 600};
const lookEveryMs = 50;

/** Shells that stay open from call to call. One call at a time in each. */
export function createShells(shop: ToolShop): Tool {
  const busy = new Set<string>();
  return async (call) => {
    const {session, input} = call;
    const name = fieldOf(input, 'name', 'text') ?? 'main';
    if (!/^[A-Za-z0-9][\w-]{0,31}$/.test(name))
      throw new Error(
        `expected a "name" of letters, digits, _ and -, got ${JSON.stringify(name).slice(0, 60)}`,
      );
    const task = taskIdOfSession(session);
    if (task === undefined) throw new Error('only who works on a task has shells');
    const key = `${task}/${name}`;
    if (busy.has(key))
      throw new Error(`another call is using the shell ${name}; wait for it, or take another name`);
    busy.add(key);
    try {
      return await use(shop, call, task, name);
    } finally {
      busy.delete(key);
    }
  };
}

async function use(
  shop: ToolShop,
  {session, input, call}: ToolCall,
  task: TaskId,
  name: string,
): Promise<ToolAnswer> {
  const command = textOf(input, 'command', limits.command);
  const program = programIn(fieldOf(input, 'program', 'text', limits.program), shop, task, name);
  const seconds = fieldOf(input, 'timeoutSeconds', 'count');
  const timeoutMs =
    seconds === undefined ? shop.waitMs : Math.min(limits.mostSeconds, Math.max(1, seconds)) * 1000;
  const {shell, isNew} = await open(shop, session.id, task, {
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
  return program === undefined ? useShell(shop, wanted) : useProgram(shop, wanted);
}

/** A shell that is open keeps its program: whoever calls it by its name need not say which. */
function programIn(
  given: string | undefined,
  {workshop}: ToolShop,
  task: TaskId,
  name: string,
): string | undefined {
  const program = given?.trim().replaceAll(/\s+/g, ' ');
  const open = shellOf(workshop.state(), task, name)?.purpose;
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

/** Afterwards it runs. One that has ended is opened anew. */
async function open(
  {workshop, conductor, signal}: ToolShop,
  caller: SessionId,
  task: TaskId,
  wanted: {readonly name: string; readonly program?: string},
): Promise<{readonly shell: SessionId; readonly isNew: boolean}> {
  const {events, refused} = await conductor.submit({
    type: 'report',
    at: workshop.now(),
    saw: {type: 'shell-asked', session: caller, ...wanted},
  });
  if (refused !== undefined) throw new Error(refused);
  const shell = shellOf(workshop.state(), task, wanted.name)?.id;
  if (shell === undefined) throw new Error(`the shell ${wanted.name} could not be opened`);
  for (const end = workshop.now() + limits.openMs; ;) {
    const life = sessionOf(workshop.state(), shell)?.life;
    if (life?.at === 'running')
      return {shell, isNew: events.some(({type}) => type === 'session-asked')};
    if (life === undefined || life.at === 'lost' || life.at === 'exited')
      throw new Error(
        `the shell ${wanted.name} could not be opened: ${life?.at === 'lost' ? life.why : 'it ended at once'}`,
      );
    if (signal.aborted || workshop.now() > end)
      throw new Error(`the shell ${wanted.name} is still being opened; call again`);
    await pauseFor(lookEveryMs, signal);
  }
}
