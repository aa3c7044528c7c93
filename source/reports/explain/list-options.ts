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
  selectTask,
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
    case 'planner-waits':
      return [
        attach(need.session, 'answer in its terminal'),
        way(`orchestra send ${need.session} "…"`, 'type your answer and Enter'),
        discard(need.run),
      ];
    case 'planless':
      return [
        way(`orchestra plan again ${need.run} --reason "…"`, 'plan again with your reason'),
        discard(need.run),
      ];
    case 'question':
      return waysOfQuestion(need);
    case 'uncertain-input':
      return [
        attach(need.session, 'see whether it was typed'),
        way(`orchestra send ${need.session} "…"`, 'type it now'),
      ];
    case 'turn':
      return [
        need.isOver === true
          ? way(`orchestra takeover ${need.task}`, 'continue its conversation')
          : attach(need.session, 'talk to it'),
        way(`orchestra check ${need.task}`, 'check its work; if that is green, it can be accepted'),
        discard(need.task),
      ];
    case 'pick':
      return [
        way(`orchestra variants ${need.task}`, 'compare them'),
        ...need.green.map((id) =>
          way(
            `orchestra pick ${id}${formatCommitOption(state, id)}`,
            'merge this one; the others are kept in refs',
          ),
        ),
      ];
    case 'draft':
      return [attach(need.session, 'send your text, or delete it')];
    case 'unstoppable':
      return [
        way(`orchestra explain ${need.session}`, 'its processes and what they do'),
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
            'end them, if they are not yours',
          ),
          way(`orchestra resume ${need.owner}`, 'resume; what still runs counts as yours'),
        ];
      return [
        way(`orchestra resume ${need.owner}`, 'try again, once the cause is gone'),
        ...(mayDiscard(state, need.owner) ? [discard(need.owner)] : []),
      ];
    case 'parked':
      return [
        way(
          `orchestra resume ${need.run}`,
          need.why.kind === 'tampering'
            ? 'resume, once you have looked at those files'
            : 'try again',
        ),
        way(`orchestra timeline ${need.run}`, 'what led to it'),
        discard(need.run),
      ];
    case 'budget':
      return [
        way(`orchestra resume ${need.run} ${budgetOption(need.exhausted)}`, 'double the budget'),
        way(`orchestra audit ${need.run}`, 'what it was spent on'),
        discard(need.run),
      ];
    case 'branch':
      return [
        way(
          `git diff ${need.expected.slice(0, 12)} ${need.found.slice(0, 12)}`,
          'the commits that orchestra did not make',
        ),
        ...(need.relation === 'ahead'
          ? [
              way(
                `orchestra branch ${need.run} --adopt`,
                'continue from there; the commits become part of the run',
              ),
            ]
          : []),
        way(
          `orchestra branch ${need.run} --restore`,
          'restore the branch; the other commits are kept under another name',
        ),
        discard(need.run),
      ];
    case 'accept':
      return [
        way(`orchestra diff ${need.run}`, 'what would be merged into your branch'),
        way(
          `orchestra accept ${need.run} --commit ${need.commit.slice(0, 12)}`,
          need.refusal === undefined ? 'accept it into your branch' : 'try again',
        ),
        discard(need.run),
      ];
    case 'nothing-left':
      return [discard(need.run)];
    case 'service':
      return [
        way(`orchestra service logs ${need.service}`, 'its last output'),
        way(`orchestra service restart ${need.service}`, 'restart it'),
        way(`orchestra service stop ${need.service}`, 'do without it'),
      ];
    case 'service-missing':
      return [
        state.services.some(({spec}) => spec.name === need.service)
          ? way(`orchestra service start ${need.service}`, 'start it; the task follows')
          : way(
              '$EDITOR .orchestra/project.yaml',
              `declare the service ${need.service}, then: orchestra service start ${need.service}`,
            ),
        discard(need.task),
      ];
    case 'intrusion':
      return [
        need.words === undefined
          ? way(`orchestra logs ${need.session}`, 'what it did')
          : way('orchestra codes', 'the one-time code for it, if it was you elsewhere'),
        way(`orchestra needs --seen ${need.number}`, 'got it'),
      ];
  }
}

/** What a person can do about a task that they have taken over. */
export function waysOfTakenOver(task: TaskId, session: SessionId | undefined): Way[] {
  return [
    ...(session === undefined ? [] : [attach(session, 'its terminal')]),
    way(`orchestra handback ${task}`, 'run the checks and rules on what you did'),
  ];
}

export function waysOfHeld(what: RunId | TaskId): Way[] {
  return [way(`orchestra resume ${what}`, 'continue'), discard(what)];
}

function way(command: string, effect: string): Way {
  return {command, effect};
}

function discard(what: RunId | TaskId): Way {
  return way(`orchestra discard ${what}`, 'discard it; its change is kept in a ref');
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
            'add a first task that repairs it; you approve that plan',
          ),
        ]
      : []),
    way(`orchestra baseline ${id} --ignore ${name}`, 'skip it in this run'),
    ...(failures === undefined
      ? []
      : [
          way(
            `orchestra baseline ${id} --no-new ${name}`,
            'allow what failed before, but nothing new',
          ),
        ]),
    way(`orchestra baseline ${id} --count ${name}`, 'count it as usual; the plan makes it pass'),
    way(`orchestra baseline ${id} --again ${name}`, 'run it on the base again'),
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
      red.length === 0 ? 'start the workers' : 'start the workers, once that is decided',
    ),
    way(`orchestra plan edit ${run}`, 'change it yourself'),
    ...(hasBegun
      ? []
      : [way(`orchestra plan reject ${run} --reason "…"`, 'plan again with your reason')]),
  ];
}

function waysOfQuestion({
  session,
  secret,
  asked,
  options,
  keys,
}: Extract<Need, {readonly kind: 'question'}>): Way[] {
  if (asked !== undefined)
    return [
      way(
        `orchestra send ${session} ${options === undefined ? '"…"' : '1'}`,
        options === undefined
          ? 'answer; the agent continues with it'
          : 'choose its first option; any other text is an answer, too',
      ),
      attach(session, 'see what it does'),
    ];
  if (secret) return [attach(session, 'type the secret yourself; it is never recorded')];
  if (options !== undefined)
    return [
      way(
        `orchestra send ${session} ${keys?.[0] ?? '1'}`,
        keys === undefined
          ? 'choose its first option, if it still asks'
          : 'choose its first option, if it still asks; other text is typed as it is',
      ),
      attach(session, 'answer in its terminal'),
      way(`orchestra explain ${session}`, 'why orchestra thinks that it waits'),
    ];
  return [
    way(`orchestra send ${session} "…"`, 'type your answer and Enter'),
    attach(session, 'answer in its terminal'),
    way(`orchestra explain ${session}`, 'why orchestra thinks that it waits'),
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
    attach(id, 'see what it does'),
    way(
      `orchestra needs --seen ${id}/${number}`,
      'let it go on; you are not asked about this again',
    ),
    ...(owner === undefined
      ? []
      : [way(`orchestra stop ${owner}`, 'stop it; what it did is kept')]),
    ...(task === undefined
      ? []
      : [way(`orchestra takeover ${task}`, 'take over its conversation')]),
    ...(owner === undefined
      ? []
      : [way(`orchestra note ${owner} "…"`, 'leave a note for the next try')]),
  ];
}

function waysOfStopped(state: State, task: TaskId): Way[] {
  const run = runIdIn(task);
  const last = findLastSession(state, task);
  return [
    way(`orchestra grant ${task} --hint "…"`, 'retry with a hint'),
    way(`orchestra takeover ${task}`, 'take over its conversation'),
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

/** What was shown is what is decided about: another commit is refused. */
function formatCommitOption(state: State, id: TaskId): string {
  const stage = selectTask(state, id)?.stage;
  return stage?.at === 'validated' ? ` --commit ${stage.commit.slice(0, 12)}` : '';
}
