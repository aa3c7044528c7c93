import {sanitizeText} from '../../base/index.ts';
import type {Need} from '../../domain/index.ts';
import {
  describeLoop,
  describeMoved,
  describeParking,
  describePlanFailure,
  describeServiceFailure,
  describeStop,
  describeTrouble,
} from '../events/describe-reason.ts';
import {sourceInWords} from '../sessions/source-in-words.ts';

/** What waits for the person, as one safe line. */
export function needInWords(need: Need): string {
  return sanitizeText(words(need).replaceAll(/\s+/g, ' '));
}

/** What the need is about: the id that a person would type. */
export function subjectOfNeed(need: Need): string {
  if ('run' in need) return need.run;
  if ('task' in need) return need.task;
  if ('owner' in need) return need.owner;
  return 'session' in need ? need.session : need.service;
}

function words(need: Need): string {
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
        return `${need.session} needs you (${sourceInWords(need.source)}): ${need.question}${need.options === undefined ? '' : ` (${need.options.map((option, index) => `${index + 1} ${option}`).join(', ')})`}`;
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
      return `${need.run} has used up its budget: ${budgetInWords(need.exhausted)}`;
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

export function budgetInWords({
  budget,
  used,
  limit,
}: Extract<Need, {kind: 'budget'}>['exhausted']): string {
  return budget === 'tokens'
    ? `${used} of ${limit} tokens`
    : `${Math.round(used / 60_000)} of ${Math.round(limit / 60_000)} minutes`;
}
