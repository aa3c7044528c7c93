import {Buffer} from 'node:buffer';
import type {AgentDialog, Driver} from '../../agents/index.ts';
import {type Cells, rowText, toStyle} from '../../terminal/index.ts';
import {redact} from '../../secrets/index.ts';
import {type SessionInput, selectSession, type Session} from '../../domain/index.ts';
import {
  findDialog,
  findScreenAgent,
  hasDialogs,
  lookAtScreen,
  parseAsking,
  readScreen,
} from '../sessions/session-screen.ts';
import {parseChoices} from '../sessions/parse-choices.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import type {KeeperLink} from '../../keeper/index.ts';
import {pauseFor} from '../engine/pacing.ts';
import {connectToKeeper} from '../sessions/keeper-link.ts';
import type {DaemonClock, SecretValues, SessionFiles, StateReader} from '../daemon-context.ts';

type InputContext = StateReader & SessionFiles & SecretValues & DaemonClock;

/**
 * The keys that choose one option of a dialog and nothing else. In a numbered list that is the
 * digit without Enter, because Enter could answer the next dialog. In a row of buttons or a menu
 * without numbers it is the arrow keys from the marked option; undefined if none is marked.
 */
export function optionKeys(
  {options, row, marked: chosen}: AgentDialog,
  number: number,
  cells: Cells,
): string | undefined {
  if (number < 1 || number > options.length) return undefined;
  if (chosen !== undefined) {
    const steps = number - 1 - chosen;
    return `${(steps < 0 ? up : down).repeat(Math.abs(steps))}\r`;
  }

  if (row === undefined) return number <= 9 ? String(number) : undefined;
  const marked = markedIn(options, row, cells);
  if (marked === undefined) return undefined;
  const steps = number - 1 - marked;
  return `${(steps < 0 ? left : right).repeat(Math.abs(steps))}\r`;
}

const up = '\u001B[A';
const down = '\u001B[B';
const left = '\u001B[D';
const right = '\u001B[C';

/** The option whose background differs from that of the hints beside it. */
function markedIn(options: readonly string[], row: number, cells: Cells): number | undefined {
  const text = rowText(cells, row);
  const backgroundAt = (column: number): number =>
    toStyle(cells, row * cells.columns + column).background & colour;
  const hints = text.indexOf('⇆');
  let from = 0;
  const columns = options.map((option) => {
    const at = text.indexOf(option, from);
    from = at + option.length;
    return at;
  });
  const marked = columns.flatMap((column, index) =>
    column !== -1 && backgroundAt(column) !== backgroundAt(hints) ? [index] : [],
  );
  return hints === -1 || marked.length !== 1 ? undefined : marked[0];
}

const colour = 0x3ff_ffff;

/** The keeper types each numbered input once, so it is safe to send it again. */
export function typeInput(context: InputContext): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'type-input') return;
    const {session: id, input: number} = effect;
    const session = selectSession(context.state(), id);
    const input = session?.inputs.find((candidate) => candidate.number === number);
    const link = await connectToKeeper(context, id);
    if (link === undefined || session === undefined || input === undefined)
      throw new Error('its keeper is gone');
    const leave = (): void => {
      link.close();
    };
    signal.addEventListener('abort', leave);
    try {
      const doubt = await typeOnce(context, {session, input, link}, signal);
      await report(
        doubt === undefined
          ? {type: 'input-typed', session: id, input: number}
          : {type: 'input-uncertain', session: id, input: number, why: doubt},
      );
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}

/** Types it unless the keeper already has it. Returns what is uncertain about it. */
async function typeOnce(
  context: InputContext,
  {
    session,
    input,
    link,
  }: {readonly session: Session; readonly input: SessionInput; readonly link: KeeperLink},
  signal: AbortSignal,
): Promise<string | undefined> {
  const isTyped = link.welcome.lastInput >= input.number;
  const driver = findScreenAgent(context, session);
  if (!takesEnterApart(driver, input)) {
    // An input that the keeper already has is confirmed without reading the screen again.
    const keys = isTyped ? '' : keysFor(context, session, input);
    if (keys === undefined) return 'the question is no longer on the screen; nothing was typed';
    await link.type(input.number, Buffer.from(keys));
    return undefined;
  }

  if (isTyped) return 'the text was typed; it is unknown whether Enter was pressed';
  await link.type(input.number, Buffer.from(input.text.slice(0, -1)));
  await pauseFor(pauseBeforeEnterMs, signal);
  if (signal.aborted) throw new Error('Enter was not pressed');
  if (
    driver !== undefined &&
    findDialog(readScreen(context, session.id).text, driver) !== undefined
  )
    return 'a dialog appeared; the text was typed, and Enter was not pressed';
  link.press(Buffer.from('\r'));
  // The keeper has read it once it answers.
  await link.ask({type: 'status'});
  return undefined;
}

/** Codex and gemini take an Enter right after other keys for a part of a paste. */
const pauseBeforeEnterMs = 600;

/** Text and Enter for the interface of a built-in agent that reads keys, not lines. */
function takesEnterApart(driver: Driver | undefined, {text, answers}: SessionInput): boolean {
  return (
    driver?.screen.takesInputAtWork === true &&
    answers === undefined &&
    text.length > 1 &&
    text.endsWith('\r')
  );
}

/**
 * An answer is typed into its own question or not at all: the same keys would answer any other one.
 */
function keysFor(
  context: InputContext,
  session: Session,
  {text, answers}: SessionInput,
): string | undefined {
  if (answers === undefined) return text;
  const driver = findScreenAgent(context, session);
  const {reading, also: cells} = lookAtScreen(context, session.id, (screen) => screen.readCells());
  const isSame = (question: string): boolean => redact(question, context.secrets()) === answers;
  if (driver === undefined || !hasDialogs(driver)) {
    const plain = parseChoices(reading.text, reading.cursorRow);
    return plain !== undefined && isSame(plain.question) ? text : undefined;
  }

  const asking = parseAsking(reading, driver);
  if (asking === undefined || !isSame(asking.question)) return undefined;
  const dialog = findDialog(reading.text, driver);
  return dialog === undefined ? undefined : optionKeys(dialog, Number(text), cells);
}
