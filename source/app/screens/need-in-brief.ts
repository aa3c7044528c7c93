import {displayWidth, without} from '../../shared/index.ts';
import {formatNeed} from '../../reports/index.ts';
import {
  isSessionId,
  type Need,
  selectSession,
  type State,
  taskIdOfSession,
} from '../../domain/index.ts';

/**
 * A need in a limited number of cells. If the whole sentence does not fit, quoted text is left out:
 * it would be cut in the middle, and the end of the sentence says what to do. The screen of the
 * need shows it completely.
 */
export function formatNeedInBrief(need: Need, state: State, cells: number): string {
  const whole = formatForTask(formatNeed(need), state);
  return displayWidth(whole) <= cells ? whole : formatForTask(formatBrief(need), state);
}

/** A question without its options: its screen lists them below, with numbers. */
export function withoutOptions(need: Need): Need {
  return need.kind === 'question' ? without(need, 'options') : need;
}

function formatBrief(need: Need): string {
  switch (need.kind) {
    case 'plan':
      return formatNeed(need).replace('waits for your approval', 'waits for you');
    case 'planner-waits':
      return formatNeed(without(need, 'words'));
    case 'planless':
      if (need.why.kind === 'invalid')
        return unquoted({...need, why: {kind: 'invalid', problems: ['']}});
      if (need.why.kind === 'planner-failed')
        return unquoted({...need, why: {...need.why, words: ''}});
      return need.why.kind === 'planner-wrote'
        ? unquoted({...need, why: {...need.why, paths: []}})
        : formatNeed(need);
    case 'trouble':
      if (need.why.kind === 'effect')
        return failedIn(need.owner, unquoted({...need, why: {...need.why, words: ''}}));
      return need.why.kind === 'agent-unavailable'
        ? unquoted({...need, why: {kind: 'agent-unavailable', words: ''}})
        : formatNeed(need);
    case 'parked':
      return need.why.kind === 'tampering'
        ? unquoted({...need, why: {...need.why, paths: []}})
        : formatNeed(need);
    case 'branch':
      return `${need.run}: somebody moved its branch`;
    case 'unstoppable':
      return `${need.session} was to end and does not`;
    case 'accept':
      if (need.isUnchecked === true && need.refusal === undefined)
        return `${need.run} is done; look at it and accept it`;
      return need.refusal === undefined ? formatNeed(need) : unquoted({...need, refusal: ''});
    case 'service':
      return need.stage.at === 'foreign-port'
        ? `the port of ${need.service} belongs to somebody else`
        : formatNeed(need);
    case 'service-missing':
      return `${need.task} waits for the service ${need.service}`;
    case 'question':
      return `${need.session} asks${need.secret ? ' for a secret' : ''}: ${need.question}`;
    case 'loop':
      return `${need.session} seems to go in circles`;
    case 'intrusion':
      return `${need.session} tried to ${need.intent}; it was refused`;
    default:
      // The beginning of a cut sentence still helps.
      return formatNeed(need);
  }
}

/** The sentence of a need whose quoted text was emptied. */
function unquoted(need: Need): string {
  return formatNeed(need).replace(/:\s*$/, '');
}

function failedIn(owner: string, text: string): string {
  return text === `${owner} is in trouble` ? text : `${text} failed`;
}

/** Replaces a session id at the start by its task: `r1.t2 asks …` says more than `s9 asks …`. */
export function formatForTask(text: string, state: State): string {
  return text.replace(/^s\d+\b/, (id) => {
    const session = isSessionId(id) ? selectSession(state, id) : undefined;
    return (session && taskIdOfSession(session)) ?? id;
  });
}
