import type {Observation} from '../command.ts';
import {runIdIn, type SessionId, type TaskId} from '../ids.ts';
import {
  liveSessionsOf,
  openRunsOf,
  runOf,
  serviceOf,
  sessionOf,
  shellOf,
  taskIdOfSession,
  taskOf,
} from '../select/find.ts';
import {isGoing} from '../select/progress.ts';
import {isStartedTooOften, tooManyStarts} from '../select/service-starts.ts';
import {serviceNameFor} from '../select/task-services.ts';
import type {Service} from '../service.ts';
import {isLive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import {isSessionWanted, isShellWanted} from '../wanted/wanted-of-sessions.ts';
import {type Answer, refuse, type Refusal} from './answer.ts';
import {askSession} from './ask-session.ts';

type Asking = Extract<
  Observation,
  {readonly type: 'person-asked' | 'shell-asked' | 'shell-told' | 'service-told'}
>;

/**
 * Open questions and open shells that one agent may have at once: more would only bury a person, or the machine. Shells that end are opened
 * again, but not for ever: so many in all for each attempt at the task.
 */
const most = {questions: 3, shells: 4, shellsInAll: 50};

/** What an agent asks for through its tools. It gets what its own session has a right to, and nothing of anybody else. */
export function decideAsking(state: State, asking: Asking, at: number): Answer {
  const caller = callerOf(state, asking.session);
  if ('refused' in caller) return caller;
  switch (asking.type) {
    case 'person-asked':
      return askPerson(caller, asking);
    case 'shell-asked':
      return askShell(state, caller, asking);
    case 'shell-told':
      return tellShell(state, caller, asking);
    case 'service-told':
      return asking.want === 'up'
        ? startService(state, caller, asking.service, at)
        : stopService(state, caller, asking.service, at);
  }
}

function callerOf(state: State, id: SessionId): Session | Refusal {
  const session = sessionOf(state, id);
  if (session === undefined) return refuse(`there is no session ${id}`);
  if (!isLive(session) || !isSessionWanted(state, session))
    return refuse(`nobody counts on ${id} any more`);
  return session;
}

function askPerson(
  {id, purpose, questions = []}: Session,
  {question, options}: Extract<Asking, {readonly type: 'person-asked'}>,
): Answer {
  if (purpose.for !== 'plan' && purpose.for !== 'attempt')
    return refuse('only who plans or works asks a person');
  if (question.trim() === '') return refuse('a question needs words');
  if (questions.some((other) => other.question === question)) return undefined;
  if (questions.filter(({answer}) => answer === undefined).length >= most.questions)
    return refuse(`${most.questions} questions of ${id} are open already`);
  return {
    type: 'question-asked',
    session: id,
    number: questions.length + 1,
    question,
    ...(options === undefined ? {} : {options}),
  };
}

function askShell(
  state: State,
  caller: Session,
  {name, program}: Extract<Asking, {readonly type: 'shell-asked'}>,
): Answer {
  const task = taskIdOfSession(caller);
  if (task === undefined || (caller.purpose.for !== 'attempt' && caller.purpose.for !== 'takeover'))
    return refuse('only who works on a task has shells');
  if (!isShellWanted(state, task))
    return refuse(`${task} has no worktree that a shell could be opened in`);
  const open = shellOf(state, task, name);
  if (open?.purpose.for === 'shell') {
    return open.purpose.program === program
      ? undefined
      : refuse(
          `the shell ${name} runs ${open.purpose.program ?? 'a shell'} already; take another name`,
        );
  }

  const shells = liveSessionsOf(state).filter(
    ({purpose}) => purpose.for === 'shell' && purpose.task === task,
  );
  if (shells.some(({purpose}) => purpose.for === 'shell' && purpose.name === name))
    return refuse(`the shell ${name} is just being stopped; ask again in a moment`);
  if (shells.length >= most.shells)
    return refuse(`${most.shells} shells of ${task} are open already`);
  const opened = (runOf(state, runIdIn(task))?.sessions ?? []).filter((id) =>
    isShellOf(sessionOf(state, id), task),
  ).length;
  const attempts = Math.max(1, taskOf(state, task)?.attempts.length ?? 1);
  if (opened >= most.shellsInAll * attempts)
    return refuse(
      `${opened} shells of ${task} were opened, which is all that an attempt may have; go on in one that is open, or without`,
    );
  return askSession(state, {for: 'shell', task, name, ...(program === undefined ? {} : {program})});
}

function isShellOf(session: Session | undefined, task: TaskId): boolean {
  return session?.purpose.for === 'shell' && session.purpose.task === task;
}

function tellShell(
  state: State,
  caller: Session,
  {shell: id, text}: Extract<Asking, {readonly type: 'shell-told'}>,
): Answer {
  const shell = sessionOf(state, id);
  if (shell?.purpose.for !== 'shell' || shell.purpose.task !== taskIdOfSession(caller))
    return refuse(`${id} is no shell of yours`);
  if (!isLive(shell)) return refuse(`${id} has ended; nothing can be typed into it`);
  return {type: 'input-asked', session: id, input: shell.inputs.length + 1, text};
}

function startService(state: State, caller: Session, asked: string, at: number): Answer {
  const task = taskIdOfSession(caller);
  if (task === undefined) return refuse('only who works on a task starts services');
  const name = serviceNameFor(state, asked, task);
  const service = serviceOf(state, name);
  if (service === undefined || isOthers(service, task)) return refuse(unknownService(state, asked));
  if (
    service.desire === 'stopped-by-person' ||
    service.stage.at === 'failed' ||
    service.stage.at === 'foreign-port'
  )
    return refuse(
      `a person has to start ${name} again: it is ${service.desire === 'stopped-by-person' ? 'stopped by one' : service.stage.at}`,
    );
  if (service.desire === 'wanted') return undefined;
  return isStartedTooOften(service, at)
    ? refuse(tooManyStarts(name))
    : {type: 'service-wanted', service: name, by: task};
}

/** Nobody else's service is taken away. */
function stopService(state: State, caller: Session, asked: string, at: number): Answer {
  const task = taskIdOfSession(caller);
  if (task === undefined) return refuse('only who works on a task stops services');
  const name = serviceNameFor(state, asked, task);
  const service = serviceOf(state, name);
  if (service === undefined || isOthers(service, task)) return refuse(unknownService(state, asked));
  if (service.desire !== 'wanted') return undefined;
  // The task's own comes back at once, with what was changed: it is bound by the same limit as one that dies.
  if (service.spec.owner !== undefined && isStartedTooOften(service, at))
    return refuse(tooManyStarts(name));
  if (service.wantedBy === 'person')
    return refuse(`a person started ${name}; it is theirs to stop`);
  const other = openRunsOf(state).flatMap((run) =>
    run.tasks.filter(
      (candidate) =>
        candidate.id !== task &&
        candidate.planned.services.includes(name) &&
        isGoing(state, run, candidate),
    ),
  )[0];
  return other === undefined
    ? {type: 'service-stopped', service: name, by: task}
    : refuse(`${other.id} needs ${name}, too`);
}

/** Another task's own service is not there for this one. */
function isOthers({spec: {owner}}: Service, task: TaskId): boolean {
  return owner !== undefined && owner !== task;
}

function unknownService(state: State, name: string): string {
  const names = state.services
    .filter(({spec}) => spec.owner === undefined)
    .map(({spec}) => spec.name);
  return `there is no service ${JSON.stringify(name)}; ${names.length === 0 ? 'none is declared' : `declared are ${names.join(', ')}`}`;
}
