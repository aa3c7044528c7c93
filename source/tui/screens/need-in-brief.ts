import {displayWidth, without} from '../../base/index.ts';
import {needInWords} from '../../documents/index.ts';
import type {Need, State} from '../../domain/index.ts';
import {inTaskWords} from './in-task-words.ts';

/**
 * A need for a place of so many cells. Where there is no room for all its words, those that it quotes are left out, for they would
 * be cut in their middle, and what to do stands at their end: the screen of the need has them whole.
 */
export function needInBrief(need: Need, state: State, cells: number): string {
  const whole = inTaskWords(needInWords(need), state);
  return displayWidth(whole) <= cells ? whole : inTaskWords(briefOf(need), state);
}

/** A question as its screen says it: what can be answered stands below it, each with its number. */
export function withoutOptions(need: Need): Need {
  return need.kind === 'question' ? without(need, 'options') : need;
}

function briefOf(need: Need): string {
  switch (need.kind) {
    case 'plan':
      return needInWords(need).replace('waits for your approval', 'waits for you');
    case 'planless':
      return need.why.kind === 'invalid'
        ? unquoted({...need, why: {kind: 'invalid', problems: ['']}})
        : need.why.kind === 'planner-failed'
          ? unquoted({...need, why: {...need.why, words: ''}})
          : need.why.kind === 'planner-wrote'
            ? unquoted({...need, why: {...need.why, paths: []}})
            : needInWords(need);
    case 'trouble':
      if (need.why.kind === 'effect')
        return failedIn(need.owner, unquoted({...need, why: {...need.why, words: ''}}));
      return need.why.kind === 'agent-unavailable'
        ? unquoted({...need, why: {kind: 'agent-unavailable', words: ''}})
        : needInWords(need);
    case 'parked':
      return need.why.kind === 'tampering'
        ? unquoted({...need, why: {...need.why, paths: []}})
        : needInWords(need);
    case 'branch':
      return `${need.run}: somebody moved its branch`;
    case 'unstoppable':
      return `${need.session} was to end and does not`;
    case 'accept':
      if (need.isUnchecked === true && need.refusal === undefined)
        return `${need.run} is done; look at it and accept it`;
      return need.refusal === undefined ? needInWords(need) : unquoted({...need, refusal: ''});
    case 'service':
      return need.stage.at === 'foreign-port'
        ? `the port of ${need.service} belongs to somebody else`
        : needInWords(need);
    case 'service-missing':
      return `${need.task} waits for the service ${need.service}`;
    case 'question':
      return `${need.session} asks${need.secret ? ' for a secret' : ''}: ${need.question}`;
    case 'loop':
      return `${need.session} seems to go in circles`;
    case 'intrusion':
      return `${need.session} tried to ${need.intent}; it was refused`;
    default:
      // What failed tells more by its beginning than by nothing.
      return needInWords(need);
  }
}

/** The same sentence without what somebody else said. */
function unquoted(need: Need): string {
  return needInWords(need).replace(/:\s*$/, '');
}

function failedIn(owner: string, words: string): string {
  return words === `${owner} is in trouble` ? words : `${words} failed`;
}
