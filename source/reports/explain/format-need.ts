import {sanitizeText} from '../../shared/index.ts';
import {
  isTaskId,
  type Need,
  type RunId,
  selectChoices,
  selectSession,
  selectTask,
  type SessionId,
  type State,
  type TaskId,
  taskIdOfSession,
  type TroubleReason,
} from '../../domain/index.ts';
import {
  describeLoop,
  describeMoved,
  describeParking,
  describePlanFailure,
  describeServiceFailure,
  describeStop,
  describeTrouble,
  formatAskSource,
  formatIntent,
} from '../messages/describe-reason.ts';
import {formatCode, formatPlain} from '../summary/safe-text.ts';

/**
 * A need as one sanitised line. With the state, a task is called by its title and its id follows;
 * without it, the id stands alone.
 */
export function formatNeed(need: Need, state?: State): string {
  return sanitizeText(describeNeed(need, state).replaceAll(/\s+/g, ' '));
}

/** The id of what the need is about, as a person would type it. */
export function subjectOfNeed(need: Need): string {
  if ('run' in need) return need.run;
  if ('task' in need) return need.task;
  if ('owner' in need) return need.owner;
  return 'session' in need ? need.session : need.service;
}

function describeNeed(need: Need, state: State | undefined): string {
  switch (need.kind) {
    case 'plan':
      if (need.red !== undefined)
        return `the plan of ${need.run} is ready; failing on the unchanged base: ${need.red.join(', ')}`;
      return need.voided === undefined
        ? `the plan of ${need.run} is ready`
        : `the plan of ${need.run} needs your approval again: ` +
            (need.voided === 'plan-changed' ? 'the plan changed' : 'the rules changed');
    case 'planner-waits':
      return need.problems === undefined
        ? `the planner of ${need.run} waits for your answer${need.words === undefined ? '' : `: ${need.words}`}`
        : `the planner of ${need.run} waits for you; its plan is not valid: ${need.problems[0] ?? ''}`;
    case 'planless':
      return `planning of ${need.run} failed: ${describePlanFailure(need.why)}`;
    case 'question':
      return `${nameSession(need.session, state)} ${describeAsking(need)}: ${need.question}${formatChoices(need)}`;
    case 'uncertain-input':
      return need.why === undefined
        ? `was this typed into ${nameSession(need.session, state)}? ${JSON.stringify(need.text)}`
        : `${nameSession(need.session, state)}, ${JSON.stringify(need.text)}: ${need.why}`;
    case 'turn':
      return need.isOver === true
        ? `the agent of ${nameOwner(need.task, state)} has ended; nothing is checked before you ask`
        : `the agent of ${nameOwner(need.task, state)} waits for you`;
    case 'pick':
      return need.green.length === 1
        ? `one variant of ${nameOwner(need.task, state)} is green: ${need.green.join(', ')}; pick it or go on with another`
        : `${need.green.length} variants of ${nameOwner(need.task, state)} are green: ${need.green.join(', ')}; pick one`;
    case 'draft':
      return `your unfinished text stands in the input of ${nameSession(need.session, state)}; what orchestra types next waits`;
    case 'unstoppable':
      return `${nameSession(need.session, state)} does not stop: ${need.words}`;
    case 'loop':
      return `${nameSession(need.session, state)} seems to go in circles: ${describeLoop(need)}`;
    case 'stopped':
      return `${nameOwner(need.task, state)} stopped: ${describeStop(need.why)}`;
    case 'trouble':
      return `${nameOwner(need.owner, state)} is blocked: ${describeTrouble(need.why)}`;
    case 'parked':
      return `${need.run} is paused for safety: ${describeParking(need.why)}`;
    case 'budget':
      return `${need.run} reached its budget: ${formatBudget(need.exhausted)}`;
    case 'branch':
      return `${need.run} cannot merge: ${describeMoved(need)}`;
    case 'accept':
      if (need.refusal !== undefined) return `${need.run} could not be accepted: ${need.refusal}`;
      return need.isUnchecked === true
        ? `${need.run} is ready to accept, but no check has seen the commits that you took over`
        : `${need.run} is ready to accept`;
    case 'nothing-left':
      return `every task of ${need.run} was discarded`;
    case 'service':
      return need.stage.at === 'failed'
        ? `${need.service} failed: ${describeServiceFailure(need.stage.why)}`
        : `${need.stage.owner} uses the port of ${need.service}`;
    case 'service-missing':
      return `${nameOwner(need.task, state)} cannot start without the service ${need.service}`;
    case 'intrusion':
      return (
        `${need.words ?? nameSession(need.session, state)} tried to ` +
        `${formatIntent(need.intent)}; refused: only you can`
      );
  }
}

function describeAsking(need: Extract<Need, {readonly kind: 'question'}>): string {
  if (need.asked !== undefined) return 'asks';
  if (need.source !== undefined) return `asks (${formatAskSource(need.source)})`;
  const verb = need.proof === 'inferred' ? 'seems to ask' : 'asks';
  return need.secret ? `${verb} for a secret` : verb;
}

/** The title of a task with its id; a run is called by its id. */
function nameOwner(owner: RunId | TaskId, state: State | undefined): string {
  const task = state !== undefined && isTaskId(owner) ? selectTask(state, owner) : undefined;
  return task === undefined ? owner : `${task.planned.title} (${owner})`;
}

/** The title of the task that a session works on, with the id of the session. */
function nameSession(id: SessionId, state: State | undefined): string {
  const session = state === undefined ? undefined : selectSession(state, id);
  const owner = session === undefined ? undefined : taskIdOfSession(session);
  const task = state === undefined || owner === undefined ? undefined : selectTask(state, owner);
  return task === undefined ? id : `${task.planned.title} (${id})`;
}

export function formatBudget({
  budget,
  used,
  limit,
}: Extract<Need, {kind: 'budget'}>['exhausted']): string {
  return budget === 'tokens'
    ? `${used} of ${limit} tokens`
    : `${Math.round(used / 60_000)} of ${Math.round(limit / 60_000)} minutes`;
}

/** What to look at before deciding: a sentence, and the paths that it is about. */
export type Advice = {readonly text: string; readonly paths: readonly string[]};

/** The advice of `describeAdvice` as Markdown. */
export function adviceOn(need: Need): string[] {
  const advice = describeAdvice(need, formatCode);
  if (advice === undefined) return [];
  return ['', advice.text, ...advice.paths.map((path) => `- ${formatCode(path)}`)];
}

/** `format` marks names within the sentence. @default as they are */
export function describeAdvice(
  need: Need,
  format: (name: string) => string = (name) => name,
): Advice | undefined {
  switch (need.kind) {
    case 'trouble':
      return {
        text: `${adviceOnTrouble(need.why, format)}${need.why.kind === 'agent-unavailable' && isTaskId(need.owner) ? fallbackAdvice : ''}`,
        paths: [],
      };
    case 'parked':
      return adviceOnParking(need.why);
    case 'planless':
      return need.why.kind === 'planner-wrote'
        ? {
            text: 'A planner may only read. It changed these files, in its own worktree, not in yours:',
            paths: need.why.paths.slice(0, maxPaths),
          }
        : undefined;
    case 'budget':
      return {
        text: 'Paused; nothing is lost.',
        paths: [],
      };
    case 'branch':
      return {
        text:
          `The branch ${format(need.branch)} belongs to orchestra: it has what was merged ` +
          'and checked. Nothing is merged or accepted until you decide which commit ' +
          'counts. No commit is lost either way.',
        paths: [],
      };
    case 'unstoppable':
      return {
        text:
          'Orchestra keeps trying. Nothing else starts in its place while it lives. End ' +
          'its processes yourself if you can.',
        paths: [],
      };
    case 'accept':
      return need.refusal === undefined
        ? undefined
        : {
            text: `Your branch is unchanged. The reason: ${formatPlain(need.refusal)}`,
            paths: [],
          };
    case 'stopped':
      return adviceOnStop(need.why);
    default:
      return undefined;
  }
}

const maxPaths = 20;

function adviceOnParking(why: Extract<Need, {kind: 'parked'}>['why']): Advice {
  switch (why.kind) {
    case 'tampering':
      return {
        text:
          'These files run code or redirect git, and they changed while an agent worked. ' +
          'Look at them before you resume:',
        paths: why.paths.slice(0, maxPaths),
      };
    case 'crashing':
      return {
        text: 'Resuming by itself would crash again. The log of the daemon says where.',
        paths: [],
      };
    case 'misfit':
      return {
        text:
          'The journal has an event that this version cannot apply. No data is lost, and ' +
          'nothing more happens in this run.',
        paths: [],
      };
  }
}

function adviceOnStop(why: Extract<Need, {kind: 'stopped'}>['why']): Advice | undefined {
  if (why.kind === 'no-change' && why.denied !== undefined)
    return {
      text:
        'Its agent tried to write and was not allowed to. Check the permissions in the ' +
        "agent's own settings, the mode of the files, and what the sandbox shows " +
        '(docs/sandbox.md). Then grant one more try.',
      paths: [],
    };
  if (why.kind === 'conflict')
    return {
      text: 'An earlier merge changed the same lines. A hint that says which side should win usually helps.',
      paths: [],
    };
  return why.kind === 'interrupted'
    ? {
        text: 'Interruptions cost no try, but this many have a cause. Check memory, disk and the agent itself.',
        paths: [],
      }
    : undefined;
}

/** A planner is never replaced. */
const fallbackAdvice =
  ' With `fallback:` in .orchestra/project.yaml, another agent goes on instead.';

function adviceOnTrouble(why: TroubleReason, format: (name: string) => string): string {
  switch (why.kind) {
    case 'effect':
      return /space|ENOSPC|disk/i.test(why.words)
        ? 'Free some disk space, then resume. This cost no try.'
        : 'Repair what is named above, then resume. This cost no try.';
    case 'setup':
      return (
        'The setup command of .orchestra/project.yaml does not work in a fresh worktree. ' +
        'Repair it, then resume. This cost no try.'
      );
    case 'broken-check':
      return (
        `The command of ${format(why.name)} could not run at all, so it proves nothing ` +
        'about the change. Repair it in the rules file or the plan, then resume.'
      );
    case 'red-on-base':
      return (
        `${format(why.name)} fails without this change as well, so it proves nothing about ` +
        'the change. Decide what to do about it. This cost no try.'
      );
    case 'agent-unavailable':
      if (why.pauses !== undefined)
        return (
          'Its service asks for more time than limits.pauseMinutes of ' +
          '.orchestra/project.yaml allows. Resuming tries it now and allows the same time ' +
          'again. This cost no try.'
        );
      return 'Log in, or wait for its quota, then resume. This cost no try.';
    case 'worktree-gone':
      return 'Somebody removed its worktree. Resuming makes a new one. What was not committed in the old one is lost.';
    case 'leftovers':
      return (
        'Nothing proves who started them, so orchestra ended none. A process that is not ' +
        'yours could still write there: end it, then resume. A process that still runs ' +
        'when you resume counts as yours, and you are not asked about it again. This cost ' +
        'no try.'
      );
  }
}

/** The options of a question, each with the key that chooses it. */
function formatChoices(need: Need): string {
  const choices = selectChoices(need);
  return choices.length === 0
    ? ''
    : ` (${choices.map(({key, label}) => `${key} ${label}`).join(', ')})`;
}
