import type {State} from '../../domain/index.ts';
import {sanitizeLine} from '../../terminal/index.ts';
import type {Model} from '../model/model.ts';
import {type Signs, signsFor} from '../theme/signs.ts';
import {type Attention, selectAttention} from './run-progress.ts';

/**
 * The title of the terminal's window: `▲2 store · orchestra` where two things need the person,
 * `●3 …` where three tasks or planners are at work, `✓ …` where a run is ready to be accepted.
 */
export function selectWindowTitle(model: Model, state: State, {sign, separator}: Signs): string {
  // Every part of it may come from a directory that somebody else named.
  const name = sanitizeLine(model.repository.name, maxNameCells);
  const title = `${name === '' ? '' : `${name} ${separator} `}orchestra`;
  // Before the first answer of the daemon, and without it, what needs the person is unknown.
  if (model.connection.at !== 'live') return title;
  const mark = toMark(selectAttention(state, {now: state.at}), sign);
  return mark === '' ? title : `${mark} ${title}`;
}

const maxNameCells = 40;

function toMark(attention: Attention, sign: Signs['sign']): string {
  switch (attention.kind) {
    case 'needs':
      return `${sign.needs}${attention.count}`;
    case 'ready':
      return sign.passed;
    case 'running': {
      const {plans, works, checks} = attention.counts;
      const active = plans + works + checks;
      return active === 0 ? '' : `${sign.work}${active}`;
    }

    case 'disconnected':
    case 'trouble':
    case 'idle':
      return '';
  }
}

/**
 * Makes the title once for each state of the daemon: frames are drawn for every output of a pane.
 */
export function createTitleSelector(
  env: Readonly<Record<string, string | undefined>>,
): (model: Model, state: State) => string {
  let last: {readonly of: readonly unknown[]; readonly title: string} | undefined;
  return (model, state) => {
    const of = [state, model.connection.at, model.settings.signs];
    if (last === undefined || of.some((one, index) => one !== last?.of[index]))
      last = {
        of,
        title: selectWindowTitle(model, state, signsFor({env, setting: model.settings.signs})),
      };
    return last.title;
  };
}

/**
 * Whether the terminal has a window with a title. The Linux console and dumb terminals have none,
 * and print what they do not understand.
 */
export function hasWindowTitle({
  TERM: term = '',
}: Readonly<Record<string, string | undefined>>): boolean {
  return term !== '' && !/^(?:dumb|linux|cons25|vt\d+)(?:-|$)/.test(term);
}
