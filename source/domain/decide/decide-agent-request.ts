import type {Observation} from '../command.ts';
import {runIdIn, type SessionId, type TaskId} from '../ids.ts';
import {
  selectLiveSessions,
  selectOpenRuns,
  selectRun,
  selectService,
  selectSession,
  selectShell,
  selectTask,
  taskIdOfSession,
} from '../select/find.ts';
import {isGoing} from '../select/progress.ts';
import {formatTooManyStarts, isStartedTooOften, serviceNameFor} from '../select/services.ts';
import type {Service} from '../service.ts';
import {isLive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import {isSessionWanted, isShellWanted} from '../wanted/session-effects.ts';
import {type Answer, askSession, type Refusal, refuse} from './answer.ts';

type AgentRequest = Extract<
  Observation,
  {readonly type: 'person-asked' | 'shell-asked' | 'shell-told' | 'service-told'}
>;

/**
 * Open questions and open shells that one agent may have at once. A shell that ended can be opened
 * again, up to `shellsInAll` times for each attempt.
 */
const limits = {questions: 3, shells: 4, shellsInAll: 50};

/**
 * Decides about a request that an agent made through its tools. It applies only to the agent's own
 * session and task.
 */
export function decideAgentRequest(state: State, asking: AgentRequest, at: number): Answer {
  const caller = findCaller(state, asking.session);
  if ('refused' in caller) return caller;
  switch (asking.type) {
    case 'person-asked':
      return askPerson(caller, asking);
    case 'shell-asked':
      return askShell(state, caller, asking);
    case 'shell-told':
      return typeIntoShell(state, caller, asking);
    case 'service-told':
      return asking.want === 'up'
        ? startService(state, caller, asking.service, at)
        : stopService(state, caller, asking.service, at);
  }
}

function findCaller(state: State, id: SessionId): Session | Refusal {
  const session = selectSession(state, id);
  if (session === undefined) return refuse(`there is no session ${id}`);
  if (!isLive(session) || !isSessionWanted(state, session))
    return refuse(`${id} is no longer needed`);
  return session;
}

function askPerson(
  {id, purpose, questions = []}: Session,
  {question, options}: Extract<AgentRequest, {readonly type: 'person-asked'}>,
): Answer {
  if (purpose.for !== 'plan' && purpose.for !== 'attempt')
    return refuse('only planners and workers can ask a person');
  if (question.trim() === '') return refuse('a question needs text');
  if (questions.some((other) => other.question === question)) return undefined;
  if (questions.filter(({answer}) => answer === undefined).length >= limits.questions)
    return refuse(`${id} already has ${limits.questions} open questions`);
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
  {name, program}: Extract<AgentRequest, {readonly type: 'shell-asked'}>,
): Answer {
  const task = taskIdOfSession(caller);
  if (task === undefined || (caller.purpose.for !== 'attempt' && caller.purpose.for !== 'takeover'))
    return refuse('only sessions that work on a task have shells');
  if (!isShellWanted(state, task))
    return refuse(`${task} has no worktree that a shell could be opened in`);
  const open = selectShell(state, task, name);
  if (open?.purpose.for === 'shell') {
    return open.purpose.program === program
      ? undefined
      : refuse(
          `the shell ${name} already runs ${open.purpose.program ?? 'a shell'}; choose another name`,
        );
  }

  const shells = selectLiveSessions(state).filter(
    ({purpose}) => purpose.for === 'shell' && purpose.task === task,
  );
  if (shells.some(({purpose}) => purpose.for === 'shell' && purpose.name === name))
    return refuse(`the shell ${name} is stopping; ask again in a moment`);
  if (shells.length >= limits.shells)
    return refuse(`${task} already has ${limits.shells} open shells`);
  const opened = (selectRun(state, runIdIn(task))?.sessions ?? []).filter((id) =>
    isShellOf(selectSession(state, id), task),
  ).length;
  const attempts = Math.max(1, selectTask(state, task)?.attempts.length ?? 1);
  if (opened >= limits.shellsInAll * attempts)
    return refuse(
      `this attempt on ${task} has opened ${opened} shells, which is the limit; use one that is open`,
    );
  return askSession(state, {for: 'shell', task, name, ...(program === undefined ? {} : {program})});
}

function isShellOf(session: Session | undefined, task: TaskId): boolean {
  return session?.purpose.for === 'shell' && session.purpose.task === task;
}

function typeIntoShell(
  state: State,
  caller: Session,
  {shell: id, text}: Extract<AgentRequest, {readonly type: 'shell-told'}>,
): Answer {
  const shell = selectSession(state, id);
  if (shell?.purpose.for !== 'shell' || shell.purpose.task !== taskIdOfSession(caller))
    return refuse(`${id} is not a shell of your task`);
  if (!isLive(shell)) return refuse(`${id} has ended; nothing can be typed into it`);
  return {type: 'input-asked', session: id, input: shell.inputs.length + 1, text};
}

function startService(state: State, caller: Session, asked: string, at: number): Answer {
  const task = taskIdOfSession(caller);
  if (task === undefined) return refuse('only sessions that work on a task can start services');
  const name = serviceNameFor(state, asked, task);
  const service = selectService(state, name);
  if (service === undefined || isOfOtherTask(service, task))
    return refuse(formatUnknownService(state, asked));
  if (
    service.desire === 'stopped-by-person' ||
    service.stage.at === 'failed' ||
    service.stage.at === 'foreign-port'
  )
    return refuse(
      `only a person can start ${name} again: it is ` +
        (service.desire === 'stopped-by-person' ? 'stopped by a person' : service.stage.at),
    );
  if (service.desire === 'wanted') return undefined;
  return isStartedTooOften(service, at)
    ? refuse(formatTooManyStarts(name))
    : {type: 'service-wanted', service: name, by: task};
}

/** A service that other tasks or a person use is not stopped. */
function stopService(state: State, caller: Session, asked: string, at: number): Answer {
  const task = taskIdOfSession(caller);
  if (task === undefined) return refuse('only sessions that work on a task can stop services');
  const name = serviceNameFor(state, asked, task);
  const service = selectService(state, name);
  if (service === undefined || isOfOtherTask(service, task))
    return refuse(formatUnknownService(state, asked));
  if (service.desire !== 'wanted') return undefined;
  // The task's own service is restarted at once, so the limit on restarts applies.
  if (service.spec.owner !== undefined && isStartedTooOften(service, at))
    return refuse(formatTooManyStarts(name));
  if (service.wantedBy === 'person')
    return refuse(`a person started ${name}; only a person can stop it`);
  const other = selectOpenRuns(state).flatMap((run) =>
    run.tasks.filter(
      (candidate) =>
        candidate.id !== task &&
        candidate.planned.services.includes(name) &&
        isGoing(state, run, candidate),
    ),
  )[0];
  return other === undefined
    ? {type: 'service-stopped', service: name, by: task}
    : refuse(`${other.id} also needs ${name}`);
}

/** A service that belongs to another task. */
function isOfOtherTask({spec: {owner}}: Service, task: TaskId): boolean {
  return owner !== undefined && owner !== task;
}

function formatUnknownService(state: State, name: string): string {
  const names = state.services
    .filter(({spec}) => spec.owner === undefined)
    .map(({spec}) => spec.name);
  return (
    `there is no service ${JSON.stringify(name)}; ` +
    (names.length === 0 ? 'none is declared' : `there are ${names.join(', ')}`)
  );
}
