import type {Need} from '../need.ts';
import type {RunId, TaskId} from '../ids.ts';
import type {MovedBranch, Run} from '../run.ts';
import {instanceName, type Service} from '../service.ts';
import {hasBegunSince, isAtPrompt, isInteractive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import {selectWantedInstances} from './services.ts';
import type {Task, TaskMessage} from '../task.ts';
import {selectUndecided} from './baseline.ts';
import {selectLiveSessions, selectRuns, selectService} from './find.ts';
import {selectWaitingPlanner} from './planner.ts';
import {isNext, isReady, isRunActive} from './progress.ts';
import {needsOfVariants} from './variant-needs.ts';
import {selectWaitingSession} from './open-session.ts';

/**
 * Everything that waits for the person, oldest first. Runs and tasks that a person stopped need
 * nothing.
 */
export function selectNeeds(state: State): Need[] {
  const needs = [
    ...selectRuns(state)
      .filter(({hold}) => hold === undefined)
      .flatMap((run) => needsOfRun(state, run)),
    ...selectLiveSessions(state).flatMap(needsOfSession),
    ...state.services.flatMap(needsOfService),
    ...state.intrusions
      .filter(({isSeen}) => !isSeen)
      .map(({number, session, intent, at, words}): Need => ({
        id: `intrusion/${number}`,
        since: at,
        kind: 'intrusion',
        number,
        session,
        intent,
        ...(words !== undefined && {words}),
      })),
  ];
  return needs.toSorted((a, b) => a.since - b.since);
}

function needsOfRun(state: State, run: Run): Need[] {
  const tasks = run.tasks.filter(({hold}) => hold === undefined);
  return [
    ...haltsOfRun(run),
    ...stageNeedsOfRun(run),
    ...needsOfPlanner(state, run),
    ...tasks.flatMap(troublesOfTask),
    ...tasks.flatMap((task) => needsOfTask(state, run, task)),
    ...needsOfVariants(state, run),
  ];
}

function haltsOfRun({id: run, parked, trouble, exhausted}: Run): Need[] {
  return [
    ...(parked === undefined
      ? []
      : [
          {
            id: `${run}/parked/${parked.at}`,
            since: parked.at,
            kind: 'parked' as const,
            run,
            why: parked.why,
          },
        ]),
    ...(trouble === undefined
      ? []
      : [
          {
            id: `${run}/trouble/${trouble.at}`,
            since: trouble.at,
            kind: 'trouble' as const,
            owner: run,
            why: trouble.why,
          },
        ]),
    ...(exhausted === undefined
      ? []
      : [
          {
            id: `${run}/budget/${exhausted.at}`,
            since: exhausted.at,
            kind: 'budget' as const,
            run,
            exhausted,
          },
        ]),
  ];
}

function stageNeedsOfRun(run: Run): Need[] {
  const {id, stage} = run;
  if (stage.at === 'reviewing') {
    const red = selectUndecided(run).map(({result}) => result.check.name);
    const voided = {
      ...(stage.voided === undefined ? {} : {voided: stage.voided}),
      ...(red.length === 0 ? {} : {red}),
    };
    return [
      {
        id: `${id}/plan/${stage.proposal.hash}/${stage.since}`,
        since: stage.since,
        kind: 'plan',
        run: id,
        ...voided,
      },
    ];
  }

  if (stage.at === 'planless')
    return [
      {
        id: `${id}/planless/${stage.since}`,
        since: stage.since,
        kind: 'planless',
        run: id,
        why: stage.why,
      },
    ];
  if (stage.at !== 'working') return [];
  const since = Math.max(
    stage.refusal?.at ?? stage.approval.at,
    ...run.tasks.map((task) => ('since' in task.stage ? task.stage.since : 0)),
  );
  if (run.tasks.every((task) => task.stage.at === 'discarded'))
    return [{id: `${id}/nothing-left`, since, kind: 'nothing-left', run: id}];
  if (run.moved !== undefined) return isRunActive(run) ? needsOfMoved(run.id, run.moved) : [];
  if (!isReady(run) || !isRunActive(run) || run.head === undefined) return [];
  const refusal = {
    ...(stage.refusal === undefined ? {} : {refusal: stage.refusal.why}),
    ...(run.adopted?.at(-1) === run.head ? {isUnchecked: true as const} : {}),
  };
  return [
    {
      id: `${id}/accept/${run.head}/${since}`,
      since,
      kind: 'accept',
      run: id,
      commit: run.head,
      ...refusal,
    },
  ];
}

/** In its own interface the planner answered without a plan. Beside a plan, the plan is the need. */
function needsOfPlanner(state: State, run: Run): Need[] {
  const waiting = isRunActive(run) ? selectWaitingPlanner(state, run) : undefined;
  if (waiting === undefined) return [];
  const {session, since} = waiting;
  const problems = run.rounds.at(-1)?.problems ?? [];
  const message = session.turn?.words?.trim() ?? '';
  return [
    {
      id: `${run.id}/planner/${session.id}/${since}`,
      since,
      kind: 'planner-waits',
      run: run.id,
      session: session.id,
      ...(message === '' ? {} : {words: message.slice(-maxPlannerCharacters)}),
      ...(problems.length === 0 ? {} : {problems}),
    },
  ];
}

const maxPlannerCharacters = 2000;

function needsOfMoved(run: RunId, {at, isRestoring, ...moved}: MovedBranch): Need[] {
  return isRestoring === true
    ? []
    : [{id: `${run}/branch/${moved.found}/${at}`, since: at, kind: 'branch', run, ...moved}];
}

function troublesOfTask({id, trouble}: Task): Need[] {
  return trouble === undefined
    ? []
    : [
        {
          id: `${id}/trouble/${trouble.at}`,
          since: trouble.at,
          kind: 'trouble',
          owner: id,
          why: trouble.why,
        },
      ];
}

/** Without an approval a person cannot act on a task. */
function needsOfTask(state: State, run: Run, task: Task): Need[] {
  const {id, stage} = task;
  if (run.stage.at !== 'working') return [];
  if (stage.at === 'stopped')
    return [
      {
        id: `${id}/stopped/${stage.since}`,
        since: stage.since,
        kind: 'stopped',
        task: id,
        why: stage.why,
      },
    ];
  const waiting = selectWaitingSession(state, run, task);
  return [
    ...(task.messages ?? []).flatMap((message) => needsOfMessage(id, message)),
    ...(waiting === undefined
      ? missingServices(state, run, task, run.stage.approval.at)
      : [toTurnNeed(id, waiting)]),
  ];
}

function toTurnNeed(task: TaskId, {id: session, life, turn}: Session): Need {
  const since = 'since' in life ? (life.since ?? 0) : 0;
  return {
    id: `${session}/turn/${turn?.number ?? 0}${life.at === 'exited' ? '/over' : ''}`,
    since: life.at === 'exited' ? life.when : (turn?.since ?? since),
    kind: 'turn',
    task,
    session,
    ...(life.at === 'exited' ? {isOver: true} : {}),
    ...(turn?.words === undefined ? {} : {words: turn.words}),
  };
}

function needsOfMessage(task: TaskId, {number, fate, session, held}: TaskMessage): Need[] {
  return fate === 'pending' && session !== undefined && held?.why === 'draft'
    ? [{id: `${task}/message/${number}/draft`, since: held.since, kind: 'draft', session}]
    : [];
}

function missingServices(state: State, run: Run, task: Task, since: number): Need[] {
  const own = selectWantedInstances(state)
    .filter((instance) => instance.task === task.id)
    .map(({template, owner}) => instanceName(template.name, owner))
    .filter((name) => selectService(state, name)?.desire === 'stopped-by-person');
  if (own.length > 0 && (task.stage.at === 'preparing' || task.stage.at === 'merging'))
    return own.map((service) => ({
      id: `${task.id}/service/${service}`,
      since,
      kind: 'service-missing',
      task: task.id,
      service,
    }));
  if (!isNext(run, task)) return [];
  return task.planned.services
    .filter(
      (name) =>
        selectService(state, name) === undefined ||
        selectService(state, name)?.desire === 'stopped-by-person',
    )
    .map((service) => ({
      id: `${task.id}/service/${service}`,
      since,
      kind: 'service-missing',
      task: task.id,
      service,
    }));
}

function needsOfSession(own: Session): Need[] {
  const {id: session, purpose, waiting, inputs, questions = [], unstoppable} = own;
  const asked = questions.filter(({answer}) => answer === undefined);
  // Later input settles earlier uncertain input, except for answers to dialogs. Uncertain input to
  // an agent's shell is reported to the agent. A turn that began since shows that a prompt arrived.
  const missing =
    purpose.for === 'shell'
      ? []
      : inputs.filter(
          (input) =>
            input.fate === 'uncertain' &&
            !(input.prompt !== undefined && hasBegunSince(own.turn, input.at)) &&
            (input === inputs.at(-1) ||
              input === inputs.findLast(({answers}) => answers === undefined)),
        );
  return [
    ...(unstoppable === undefined
      ? []
      : [
          {
            id: `${session}/unstoppable/${unstoppable.at}`,
            since: unstoppable.at,
            kind: 'unstoppable' as const,
            session,
            words: unstoppable.words,
          },
        ]),
    ...asked.map(({number, question, options, at}): Need => ({
      id: `${session}/asked/${number}`,
      since: at,
      kind: 'question',
      session,
      question,
      proof: 'proven',
      secret: false,
      asked: number,
      ...(options === undefined ? {} : {options}),
    })),
    // A question that the agent asked itself replaces the kernel's report. An agent in its own
    // interface waits at its prompt after every turn, so only a dialog in it is a need.
    ...(waiting === undefined ||
    asked.length > 0 ||
    isAtPrompt(own) ||
    ((purpose.for === 'takeover' || isInteractive(own)) &&
      waiting.proof === 'inferred' &&
      waiting.options === undefined)
      ? []
      : [
          {
            id: `${session}/question/${waiting.since}`,
            since: waiting.since,
            kind: 'question' as const,
            session,
            question: waiting.question,
            proof: waiting.proof,
            secret: waiting.secret,
            ...(waiting.source === undefined ? {} : {source: waiting.source}),
            ...(waiting.options === undefined ? {} : {options: waiting.options}),
            ...(waiting.keys === undefined ? {} : {keys: waiting.keys}),
          },
        ]),
    ...selectLoopNeeds(own),
    ...inputs
      .filter(({fate, heldSince}) => fate === 'pending' && heldSince !== undefined)
      .map(({number, heldSince = 0}): Need => ({
        id: `${session}/draft/${number}`,
        since: heldSince,
        kind: 'draft',
        session,
      })),
    ...missing.map(({number, text, at, why}): Need => ({
      id: `${session}/input/${number}`,
      since: at,
      kind: 'uncertain-input',
      session,
      text,
      ...(why === undefined ? {} : {why}),
    })),
  ];
}

function selectLoopNeeds({id: session, loops = []}: Session): Need[] {
  return loops
    .filter(({isSeen}) => isSeen !== true)
    .map(({number, kind, evidence, times, since, at}) => ({
      id: `${session}/loop/${number}`,
      since: at,
      kind: 'loop',
      session,
      number,
      loop: kind,
      evidence,
      times,
      from: since,
    }));
}

function needsOfService({spec: {name}, desire, stage}: Service): Need[] {
  if (desire !== 'wanted' || (stage.at !== 'failed' && stage.at !== 'foreign-port')) return [];
  return [
    {
      id: `service/${name}/${stage.since}`,
      since: stage.since,
      kind: 'service',
      service: name,
      stage,
    },
  ];
}
