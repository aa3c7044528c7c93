import path from 'node:path';
import type {Wish} from '../domain/index.ts';

type Kind = 'text' | 'number' | 'texts' | 'record' | 'path' | 'text?' | 'number?';

/** What a wish must hold to be decided about: what is malformed would stay in the journal for ever. */
const fields: {readonly [T in Wish['type']]: Readonly<Record<Exclude<keyof Extract<Wish, {readonly type: T}>, 'type'>, Kind>>} = {
  'start-run': {request: 'record', budget: 'record'},
  'move-in-queue': {run: 'text', position: 'number'},
  'comment-plan': {run: 'text', line: 'number', text: 'text'},
  'edit-plan': {run: 'text', plan: 'record', hash: 'text'},
  'reject-plan': {run: 'text', plan: 'text', reason: 'text'},
  'approve-plan': {run: 'text', plan: 'text', rules: 'text', base: 'text'},
  'plan-again': {run: 'text', reason: 'text?'},
  'grant-attempt': {task: 'text', hint: 'text?'},
  'take-over': {task: 'text'},
  'hand-back': {task: 'text'},
  'reset-task': {task: 'text'},
  stop: {what: 'text', reason: 'text?'},
  resume: {what: 'text'},
  discard: {what: 'text'},
  'accept-run': {run: 'text', commit: 'text'},
  'adopt-branch': {run: 'text', commit: 'text'},
  'restore-branch': {run: 'text', commit: 'text'},
  'extend-budget': {run: 'text', tokens: 'number?', wallClock: 'number?'},
  'tidy-worktree': {owner: 'text'},
  'start-session': {name: 'text', command: 'texts', directory: 'path', prompt: 'text?'},
  'send-input': {session: 'text', text: 'text'},
  'answer-question': {session: 'text', number: 'number', text: 'text'},
  'declare-service': {spec: 'record'},
  'start-service': {service: 'text'},
  'stop-service': {service: 'text'},
  'restart-service': {service: 'text'},
  'add-note': {on: 'text', text: 'text'},
  'acknowledge-intrusion': {number: 'number'},
};

/** In characters of its JSON. Whoever follows the events gets it in one frame. */
const longest = 512 * 1024;

const checks: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  texts: (value) => Array.isArray(value) && value.every((word) => typeof word === 'string' && !word.includes('\0')),
  record: (value) => typeof value === 'object' && value !== null,
  path: (value) => typeof value === 'string' && path.isAbsolute(value) && !value.includes('\0'),
  'text?': (value) => value === undefined || typeof value === 'string',
  'number?': (value) => value === undefined || Number.isFinite(value),
};

/** Throws with a sentence when it is none. What only the world can report is no wish. */
export function checkWish(value: unknown): Wish {
  const wish = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const {type} = wish;
  if (typeof type !== 'string' || !Object.hasOwn(fields, type)) throw new Error(`this daemon knows no wish ${JSON.stringify(type)}; \`orchestra daemon restart\` keeps every session`);
  const wrong = Object.entries(fields[type as Wish['type']]).find(([name, kind]) => !checks[kind](wish[name]));
  if (wrong !== undefined) throw new Error(`expected ${wrong[0]} of ${type} to be a ${wrong[1].replace('?', '')}, got ${JSON.stringify(wish[wrong[0]])}`);
  if (JSON.stringify(wish).length > longest) throw new Error(`expected a ${type} of at most ${longest} characters`);
  return wish as Wish;
}
