import {
  isLive,
  isTaskId,
  type Need,
  type Run,
  type RunId,
  runIdIn,
  runIdOfSession,
  selectBaselineResult,
  selectChecks,
  selectRun,
  selectSession,
  type Session,
  type SessionId,
  type State,
  type TaskId,
  taskIdOfSession,
} from '../../domain/index.ts';

/** Something a person can do now: the command to type, and its effect. */
export type Way = {readonly command: string; readonly effect: string};

/** The commands that answer a need, the most common one first. */
export function listOptions(state: State, need: Need): Way[] {
  switch (need.kind) {
    case 'plan':
      return waysOfPlan(state, need.run, need.red);
    case 'planless':
      return [
        way(`orchestra plan again ${need.run} --reason "…"`, 'plans once more, with your words'),
        discard(need.run),
      ];
    case 'question':
      return waysOfQuestion(need);
    case 'uncertain-input':
      return [
        attach(need.session, 'see whether it was typed'),
        way(`orchestra send ${need.session} "…"`, 'types it now'),
      ];
    case 'unstoppable':
      return [
        way(`orchestra explain ${need.session}`, 'its processes, and what they do'),
        way(`orchestra logs ${need.session}`, 'what it printed last'),
      ];
    case 'loop':
      return waysOfLoop(state, need);
    case 'stopped':
      return waysOfStopped(state, need.task);
    case 'trouble':
      if (need.why.kind === 'red-on-base') return waysOfRedBase(state, need.owner, need.why.name);
      if (need.why.kind === 'leftovers')
        return [
          way(
            `kill ${need.why.processes.map(({pid}) => pid).join(' ')}`,
            'ends them, if they are not yours',
          ),
          way(`orchestra resume ${need.owner}`, 'goes on; what is still there counts as yours'),
        ];
      return [
        way(`orchestra resume ${need.owner}`, 'tries again, once the cause is gone'),
        ...(mayDiscard(state, need.owner) ? [discard(need.owner)] : []),
      ];
    case 'parked':
      return [
        way(
          `orchestra resume ${need.run}`,
          need.why.kind === 'tampering'
            ? 'goes on, once you have looked at those files'
            : 'tries again',
        ),
        way(`orchestra timeline ${need.run}`, 'what led to it'),
        discard(need.run),
      ];
    case 'budget':
      return [
        way(`orchestra resume ${need.run} ${budgetOption(need.exhausted)}`, 'goes on with more'),
        way(`orchestra audit ${need.run}`, 'what it was spent on'),
        discard(need.run),
      ];
    case 'branch':
      return [
        way(
          `git diff ${need.expected.slice(0, 12)} ${need.found.slice(0, 12)}`,
          "what is there and is not the run's",
        ),
        ...(need.relation === 'ahead'
          ? [
              way(
                `orchestra branch ${need.run} --adopt`,
                'goes on from what is there; it becomes part of the run',
              ),
            ]
          : []),
        way(
          `orchestra branch ${need.run} --restore`,
          'puts the branch back; what is there is kept under another name',
        ),
        discard(need.run),
      ];
    case 'accept':
      return [
        way(`orchestra diff ${need.run}`, 'what would come into your branch'),
        way(
          `orchestra accept ${need.run} --commit ${need.commit.slice(0, 12)}`,
          need.refusal === undefined ? 'brings it into your branch' : 'tries once more',
        ),
        discard(need.run),
      ];
    case 'nothing-left':
      return [discard(need.run)];
    case 'service':
      return [
        way(`orchestra service logs ${need.service}`, 'its last words'),
        way(`orchestra service restart ${need.service}`, 'starts it again'),
        way(`orchestra service stop ${need.service}`, 'does without it'),
      ];
    case 'service-missing':
      return [
        state.services.some(({spec}) => spec.name === need.service)
          ? way(`orchestra service start ${need.service}`, 'starts it; the task follows')
          : way(
              '$EDITOR .orchestra/project.yaml',
              `declare the service ${need.service}, then: orchestra service start ${need.service}`,
            ),
        discard(need.task),
      ];
    case 'intrusion':
      return [
        need.words === undefined
          ? way(`orchestra logs ${need.session}`, 'what it was doing')
          : way('orchestra codes', 'the one-time code for it, if it was you elsewhere'),
        way(`orchestra needs --seen ${need.number}`, 'you have seen it'),
      ];
  }
}

/** What a person can do about a task that they have taken over. */
export function waysOfTakenOver(task: TaskId, session: SessionId | undefined): Way[] {
  return [
    ...(session === undefined ? [] : [attach(session, 'its terminal')]),
    way(`orchestra handback ${task}`, 'checks and rules are run on what you did'),
  ];
}

export function waysOfHeld(what: RunId | TaskId): Way[] {
  return [way(`orchestra resume ${what}`, 'goes on where it was'), discard(what)];
}

function way(command: string, effect: string): Way {
  return {command, effect};
}

function discard(what: RunId | TaskId): Way {
  return way(`orchestra discard ${what}`, 'gives it up; what was done is kept in a ref');
}

function attach(session: SessionId, effect: string): Way {
  return way(`orchestra attach ${session}`, effect);
}

/** Decisions about a check that fails on the base, before or after work has started. */
function decisionsOn(run: Run, name: string): Way[] {
  const id = run.id;
  const check = selectChecks(run).find((one) => one.name === name);
  const failures =
    check === undefined ? undefined : selectBaselineResult(run, check)?.result.failures;
  return [
    ...(run.tasks.length === 0
      ? [
          way(
            `orchestra baseline ${id} --mend ${name}`,
            'a first task makes it green; you approve that plan',
          ),
        ]
      : []),
    way(`orchestra baseline ${id} --ignore ${name}`, 'it is not run in this run'),
    ...(failures === undefined
      ? []
      : [
          way(
            `orchestra baseline ${id} --no-new ${name}`,
            'what failed before may fail, nothing new',
          ),
        ]),
    way(`orchestra baseline ${id} --count ${name}`, 'it counts as ever; the plan makes it green'),
    way(`orchestra baseline ${id} --again ${name}`, 'runs it on the base once more'),
  ];
}

function waysOfRedBase(state: State, owner: RunId | TaskId, name: string): Way[] {
  const run = selectRun(state, runIdIn(owner));
  return [
    ...(run === undefined ? [] : decisionsOn(run, name)),
    way(`orchestra resume ${owner}`, 'runs the check on the change once more'),
    ...(mayDiscard(state, owner) ? [discard(owner)] : []),
  ];
}

function waysOfPlan(state: State, run: RunId, red: readonly string[] = []): Way[] {
  const hasBegun = selectRun(state, run)?.tasks.some(({attempts}) => attempts.length > 0) ?? false;
  return [
    way(`orchestra plan show ${run}`, 'the whole plan'),
    ...red.slice(0, 1).flatMap((name) => {
      const found = selectRun(state, run);
      return found === undefined ? [] : decisionsOn(found, name);
    }),
    way(
      `orchestra plan approve ${run}`,
      red.length === 0 ? 'workers start' : 'workers start, once that is decided',
    ),
    way(`orchestra plan edit ${run}`, 'change it yourself'),
    ...(hasBegun
      ? []
      : [way(`orchestra plan reject ${run} --reason "…"`, 'plans again, with your reason')]),
  ];
}

function waysOfQuestion({
  session,
  secret,
  asked,
  options,
}: Extract<Need, {readonly kind: 'question'}>): Way[] {
  if (asked !== undefined)
    return [
      way(
        `orchestra send ${session} ${options === undefined ? '"…"' : '1'}`,
        options === undefined
          ? 'your answer; the agent goes on with it'
          : 'the first of its options; other words are an answer, too',
      ),
      attach(session, 'see what it is at'),
    ];
  if (secret) return [attach(session, 'type the secret yourself; it is never written down')];
  if (options !== undefined)
    return [
      way(`orchestra send ${session} 1`, 'chooses the first of its options, if it still asks'),
      attach(session, 'answer in its terminal'),
      way(`orchestra explain ${session}`, 'how it is known that it waits'),
    ];
  return [
    way(`orchestra send ${session} "…"`, 'types your answer and Enter'),
    attach(session, 'answer in its terminal'),
    way(`orchestra explain ${session}`, 'how it is known that it waits'),
  ];
}

/** The session keeps running until the person decides. */
function waysOfLoop(
  state: State,
  {session: id, number}: Extract<Need, {readonly kind: 'loop'}>,
): Way[] {
  const session = selectSession(state, id);
  const task = session === undefined ? undefined : taskIdOfSession(session);
  const owner = task ?? (session === undefined ? undefined : runIdOfSession(session));
  return [
    attach(id, 'see what it is at'),
    way(
      `orchestra needs --seen ${id}/${number}`,
      'it goes on, and you are not asked about this again',
    ),
    ...(owner === undefined
      ? []
      : [way(`orchestra stop ${owner}`, 'stops it; what it did is kept')]),
    ...(task === undefined
      ? []
      : [way(`orchestra takeover ${task}`, 'the same conversation, in your hands')]),
    ...(owner === undefined
      ? []
      : [way(`orchestra note ${owner} "…"`, 'words for whoever begins on it next')]),
  ];
}

function waysOfStopped(state: State, task: TaskId): Way[] {
  const run = runIdIn(task);
  const last = findLastSession(state, task);
  return [
    way(`orchestra grant ${task} --hint "…"`, 'one more attempt, with your hint'),
    way(`orchestra takeover ${task}`, 'the same conversation, in your hands'),
    way(`orchestra diff ${run} ${task.slice(run.length + 1)}`, 'what it changed'),
    ...(last === undefined
      ? []
      : [
          isLive(last)
            ? attach(last.id, 'its terminal')
            : way(`orchestra logs ${last.id}`, 'what the agent did'),
        ]),
    discard(task),
  ];
}

/** The last session in which an agent or a person worked on the task. */
function findLastSession(state: State, task: TaskId): Session | undefined {
  const sessions = (selectRun(state, runIdIn(task))?.sessions ?? []).flatMap(
    (id) => selectSession(state, id) ?? [],
  );
  return sessions.findLast(
    ({purpose}) =>
      (purpose.for === 'attempt' || purpose.for === 'takeover') && purpose.task === task,
  );
}

function mayDiscard(state: State, owner: RunId | TaskId): boolean {
  const run = selectRun(state, runIdIn(owner));
  const stage = isTaskId(owner) ? run?.tasks.find(({id}) => id === owner)?.stage.at : run?.stage.at;
  return stage !== 'merged' && stage !== 'discarded' && stage !== 'accepted';
}

/** Suggests twice the used amount, in the unit of the option. */
function budgetOption({budget, used}: Extract<Need, {kind: 'budget'}>['exhausted']): string {
  return budget === 'tokens'
    ? `--tokens ${used * 2}`
    : `--minutes ${Math.max(1, Math.ceil((used * 2) / 60_000))}`;
}
