import {selectRun, type State, type UserCommand} from '../../domain/index.ts';
import {isOpenNeed} from './needs-queue.ts';
import {selectMarkedVariant} from '../select/variants-view.ts';
import type {Confirmation, FieldPurpose, Model} from './model.ts';
import type {Key} from '../input/key.ts';
import type {UpdateResult} from '../app-contract.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {emptyField, type TextField} from './text-field.ts';

/**
 * What a deciding key would decide on now. When it changes without input of the person, such keys
 * are blocked for a moment, so that nobody approves what they have not seen.
 */
export function selectDecisionSubject(model: Model, state: State): string {
  const {screen, confirmation, need, run, subject, selected} = model;
  if (confirmation !== undefined) return `asking/${JSON.stringify(confirmation.yes)}`;
  switch (screen) {
    case 'plan': {
      const stage = run === undefined ? undefined : selectRun(state, run)?.stage;
      return stage?.at === 'reviewing'
        ? `plan/${stage.proposal.hash}/${stage.ground.rules.hash}/${stage.ground.base}`
        : `plan/${stage?.at ?? ''}`;
    }

    case 'needs':
      return need === undefined ? 'needs' : `need/${need.id}/${isOpenNeed(need, state)}`;
    case 'review': {
      const of = run === undefined ? undefined : selectRun(state, run);
      return `review/${subject ?? ''}/${of?.head ?? ''}/${of?.stage.at ?? ''}`;
    }

    case 'workers':
      return `workers/${selected}`;
    case 'variants': {
      const marked = selectMarkedVariant(model, state);
      return `variants/${marked?.id ?? ''}/${JSON.stringify(marked?.stage ?? '')}`;
    }

    default:
      return screen;
  }
}

/** Long enough to stop pressing a key, too short to be noticed. */
export const guardDelayMs = 700;

export function isWithinGuardDelay({changedAt}: Model, now: number): boolean {
  return now - changedAt < guardDelayMs;
}

/** What a key means: an action of the keymap, a character of a text field, or a chord to bind. */
export type Action =
  | {
      readonly type: 'action';
      readonly action: ActionName;
      readonly chord: string;
      readonly isGuarded: boolean;
      /** Arrived together with other keys. */ readonly isBurst?: true;
    }
  | {readonly type: 'typed'; readonly key: Key}
  | {readonly type: 'pressed'; readonly chord: string}
  /** A key that has no action here. `capital`: what the same letter in upper case does. */
  | {readonly type: 'unbound'; readonly chord: string; readonly capital?: string}
  /** Pressed before the first state arrived. It does nothing. */
  | {readonly type: 'early'};

export type Result = UpdateResult<Model>;

export function noChange(model: Model): Result {
  return {model, commands: [], effects: []};
}

export function withCommands(model: Model, ...commands: readonly UserCommand[]): Result {
  return {model, commands, effects: []};
}

export function withEffects(model: Model, ...effects: Result['effects']): Result {
  return {model, commands: [], effects};
}

/** How long a notice is shown. */
export const noticeMs = 6000;

/** Shows a message for a while. */
export function withNotice(
  model: Model,
  text: string,
  now: number,
  tone: 'plain' | 'good' | 'bad' = 'plain',
): Model {
  return {...model, notice: {text, tone, at: now}};
}

/** Opens a text field. The text of another one is dropped. */
export function openField(
  model: Model,
  purpose: FieldPurpose,
  label: string,
  text: TextField = emptyField,
): Model {
  return {...model, field: {...text, for: purpose, label}};
}

export function withFieldText(model: Model, text: TextField): Model {
  return model.field === undefined ? model : {...model, field: {...model.field, ...text}};
}

/** Asks the person before the action is done. */
export function withConfirmation(model: Model, confirmation: Confirmation): Model {
  return {...model, confirmation};
}

/** Keys are commands again: nothing is typed into or scrolled. */
export function inCommandMode(model: Model): Model {
  return model.mode === 'command' && model.typingSession === undefined
    ? model
    : {...model, mode: 'command', typingSession: undefined};
}
