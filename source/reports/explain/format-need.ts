import {sanitizeText} from '../../shared/index.ts';
import type {Need, TroubleReason} from '../../domain/index.ts';
import {
  describeLoop,
  describeMoved,
  describeParking,
  describePlanFailure,
  describeServiceFailure,
  describeStop,
  describeTrouble,
  formatAskSource,
} from '../messages/describe-reason.ts';
import {formatCode, formatPlain} from '../summary/safe-text.ts';

/** A need as one sanitised line. */
export function formatNeed(need: Need): string {
  return sanitizeText(describeNeed(need).replaceAll(/\s+/g, ' '));
}

/** The id of what the need is about, as a person would type it. */
export function subjectOfNeed(need: Need): string {
  if ('run' in need) return need.run;
  if ('task' in need) return need.task;
  if ('owner' in need) return need.owner;
  return 'session' in need ? need.session : need.service;
}

function describeNeed(need: Need): string {
  switch (need.kind) {
    case 'plan':
      if (need.red !== undefined)
        return `the plan of ${need.run} waits for your approval; red on the base, without any change: ${need.red.join(', ')}`;
      return need.voided === undefined
        ? `the plan of ${need.run} waits for your approval`
        : `the plan of ${need.run} waits for your approval again: ${need.voided === 'plan-changed' ? 'the plan changed' : 'the rules changed'}`;
    case 'planless':
      return `${need.run} has no plan: ${describePlanFailure(need.why)}`;
    case 'question':
      if (need.asked !== undefined)
        return `${need.session} asks you: ${need.question}${need.options === undefined ? '' : ` (${need.options.map((option, index) => `${index + 1} ${option}`).join(', ')})`}`;
      if (need.source !== undefined)
        return `${need.session} needs you (${formatAskSource(need.source)}): ${need.question}${need.options === undefined ? '' : ` (${need.options.map((option, index) => `${index + 1} ${option}`).join(', ')})`}`;
      return `${need.session} asks${need.secret ? ' for a secret' : ''}${need.proof === 'inferred' ? ', it seems' : ''}: ${need.question}`;
    case 'uncertain-input':
      return need.why === undefined
        ? `nobody can say whether this was typed into ${need.session}: ${JSON.stringify(need.text)}`
        : `${need.session}, ${JSON.stringify(need.text)}: ${need.why}`;
    case 'unstoppable':
      return `${need.session} was to end and does not: ${need.words}`;
    case 'loop':
      return `${need.session} seems to go in circles: ${describeLoop(need)}`;
    case 'stopped':
      return `${need.task} stopped: ${describeStop(need.why)}`;
    case 'trouble':
      return `${need.owner} is in trouble: ${describeTrouble(need.why)}`;
    case 'parked':
      return `${need.run} is set aside: ${describeParking(need.why)}`;
    case 'budget':
      return `${need.run} has used up its budget: ${formatBudget(need.exhausted)}`;
    case 'branch':
      return `${need.run} merges nothing: ${describeMoved(need)}`;
    case 'accept':
      if (need.refusal === undefined && need.isUnchecked === true)
        return `${need.run} is done, but no check has seen what you took over on its branch; look at it and accept it`;
      return need.refusal === undefined
        ? `${need.run} is done and validated; look at it and accept it`
        : `${need.run} could not be brought into your branch: ${need.refusal}`;
    case 'nothing-left':
      return `${need.run} has nothing left: every task was discarded`;
    case 'service':
      return need.stage.at === 'failed'
        ? `${need.service} failed: ${describeServiceFailure(need.stage.why)}`
        : `the port of ${need.service} belongs to ${need.stage.owner}`;
    case 'service-missing':
      return `${need.task} cannot start without the service ${need.service}`;
    case 'intrusion':
      return `${need.words ?? need.session} tried to ${need.intent}, which only a person may; it was refused`;
  }
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

/** What to look at before typing one of the offered commands. */
export function adviceOn(need: Need): string[] {
  switch (need.kind) {
    case 'trouble':
      return ['', adviceOnTrouble(need.why)];
    case 'parked':
      if (need.why.kind === 'tampering')
        return [
          '',
          'These run code or redirect git, and they changed while an agent was at work. Look at them before you go on:',
          ...need.why.paths.slice(0, 20).map((path) => `- ${formatCode(path)}`),
        ];
      return [
        '',
        need.why.kind === 'crashing'
          ? 'Going on by itself would crash again. The log of the daemon says where.'
          : 'The journal holds something that this version cannot place. Nothing was lost, and nothing more is done for this run.',
      ];
    case 'planless':
      if (need.why.kind === 'planner-wrote')
        return [
          '',
          'A planner may only read. These files were changed in its own worktree, not in yours:',
          ...need.why.paths.slice(0, 20).map((path) => `- ${formatCode(path)}`),
        ];
      return [];
    case 'budget':
      return ['', 'Whatever was at work was stopped where it was; nothing of it is lost.'];
    case 'branch':
      return [
        '',
        `The branch ${formatCode(need.branch)} is orchestra's own: what was merged and checked is there. Nothing is merged into it, and nothing is accepted, until you have said what holds. What is there is not lost either way.`,
      ];
    case 'unstoppable':
      return [
        '',
        'It is tried further. Nothing else is begun in its place as long as it lives; end its processes yourself if you may.',
      ];
    case 'accept':
      return need.refusal === undefined
        ? []
        : ['', `Your branch is as it was. What was in the way: ${formatPlain(need.refusal)}`];
    case 'stopped':
      if (need.why.kind === 'no-change' && need.why.denied !== undefined)
        return [
          '',
          "Its agent wanted to write and was not allowed to. Look at the permissions in the agent's own settings, at the mode of the files, and at what the sandbox shows (docs/sandbox.md); then grant one more attempt.",
        ];
      if (need.why.kind === 'conflict')
        return [
          '',
          'What was merged before it touches the same lines. A hint that says which side should win usually does.',
        ];
      return need.why.kind === 'interrupted'
        ? [
            '',
            'Crashes cost no attempt, but so many of them are no accident: look at memory, disk and the agent itself.',
          ]
        : [];
    default:
      return [];
  }
}

function adviceOnTrouble(why: TroubleReason): string {
  switch (why.kind) {
    case 'effect':
      return /space|ENOSPC|disk/i.test(why.words)
        ? 'Make room on the disk, then resume. No attempt was spent.'
        : 'Repair what is named above, then resume. No attempt was spent.';
    case 'setup':
      return 'The setup command of .orchestra/project.yaml does not work in a fresh worktree. Repair it, then resume. No attempt was spent.';
    case 'broken-check':
      return `The command of ${formatCode(why.name)} could not be run at all, so it says nothing about the change. Repair it in the rules file or the plan, then resume.`;
    case 'red-on-base':
      return `${formatCode(why.name)} fails without this change as well, so it says nothing about the change. Decide what is done about it. No attempt was spent.`;
    case 'agent-unavailable':
      if (why.pauses !== undefined)
        return 'Its service asks for more time than limits.pauseMinutes of .orchestra/project.yaml allows. Resume tries it now, and waits as long again. No attempt was spent.';
      return 'Log in, or wait for its quota, then resume. No attempt was spent.';
    case 'worktree-gone':
      return 'Somebody removed its worktree. Resume makes a new one; what was not committed in the old one is gone.';
    case 'leftovers':
      return 'Nothing proves whose they are, so none was ended; what is not yours could still write there. End it, then resume. Whoever resumes says that what is still there is theirs, and is not asked about it again. No attempt was spent.';
  }
}
