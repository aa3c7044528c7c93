import {excerpt} from '../excerpt.ts';
import {jsonPathInto} from './json-path.ts';
import {jsonTokens} from './json-tokens.ts';

/** Where things stand in a JSON text, and what is wrong with it before anybody parses it. */
export type JsonScan = {
  /** `tasks[2].files[0]` → the offset at which that value begins. */
  readonly offsets: ReadonlyMap<string, number>;
  readonly oddKeys: readonly OddKey[];
  /** Why it is not JSON, or not to be parsed. */
  readonly fault?: {readonly offset: number; readonly text: string};
};

export type OddKey = {
  readonly oddity: 'repeated' | 'forbidden';
  readonly path: string;
  readonly offset: number;
};

/**
 * Walks over JSON token by token, without recursion. It agrees with JSON.parse on what is JSON (a test compares them)
 * and knows besides where each value stands, and where and why it had to stop.
 */
export function scanJson(text: string): JsonScan {
  const walk: Walk = {expected: 'a value', inside: undefined, offsets: new Map(), oddKeys: []};
  for (const {found, offset} of jsonTokens(text)) {
    const next =
      found === undefined ? noWord(walk, text.charAt(offset)) : step(walk, found, offset);
    if (typeof next === 'object')
      return {offsets: walk.offsets, oddKeys: walk.oddKeys, fault: {offset, text: next.fault}};
    walk.expected = next;
  }

  return {offsets: walk.offsets, oddKeys: walk.oddKeys};
}

type Expected =
  | 'a value'
  | 'a value or "]"'
  | 'a key in quotes'
  | 'a key or "}"'
  | '":"'
  | '"," or "]"'
  | '"," or "}"'
  | 'the end';
type Fault = {readonly fault: string};

type Walk = {
  expected: Expected;
  inside: Container | undefined;
  readonly offsets: Map<string, number>;
  readonly oddKeys: OddKey[];
};

type Container = {
  readonly outer: Container | undefined;
  readonly depth: number;
  readonly isObject: boolean;
  readonly path: string;
  /** The key or the index of the member that is being read. */
  member: string | number;
  readonly seen: Set<string>;
};

function noWord(walk: Walk, character: string): Fault {
  if (character !== '"') return unexpected(walk, character);
  return {
    fault:
      'the string that begins here is not closed, or holds a line break, a control character or a wrong escape',
  };
}

/** Takes one token and says what may come next. */
function step(walk: Walk, found: string, offset: number): Expected | Fault {
  switch (walk.expected) {
    case 'a value':
      return readValue(walk, found, offset);
    case 'a value or "]"':
      return found === ']' ? leave(walk) : readValue(walk, found, offset);
    case 'a key in quotes':
      return readKey(walk, found, offset);
    case 'a key or "}"':
      return found === '}' ? leave(walk) : readKey(walk, found, offset);
    case '":"':
      return found === ':' ? 'a value' : unexpected(walk, found);
    case '"," or "]"':
      return found === ']' ? leave(walk) : readComma(walk, found);
    case '"," or "}"':
      return found === '}' ? leave(walk) : readComma(walk, found);
    case 'the end':
      return found === '' ? 'the end' : unexpected(walk, found);
  }
}

/** A plan is four levels deep. Whoever walks over a document later need not fear for the stack. */
const mostLevels = 32;

function readValue(walk: Walk, found: string, offset: number): Expected | Fault {
  const {inside} = walk;
  if (/^(?:[\]}:,]|$)/.test(found)) return unexpected(walk, found);
  const depth = inside?.depth ?? 0;
  const path = inside === undefined || depth > 4 ? '' : jsonPathInto(inside.path, inside.member);
  if (path !== '') walk.offsets.set(path, offset);
  if (found !== '{' && found !== '[') return afterValueIn(inside);
  if (depth === mostLevels) return {fault: `brackets are nested more than ${mostLevels} deep`};

  const isObject = found === '{';
  walk.inside = {
    outer: inside,
    depth: depth + 1,
    isObject,
    path,
    member: isObject ? '' : 0,
    seen: new Set(),
  };
  return isObject ? 'a key or "}"' : 'a value or "]"';
}

function readKey(walk: Walk, found: string, offset: number): Expected | Fault {
  const {inside} = walk;
  if (inside === undefined || !found.startsWith('"')) return unexpected(walk, found);
  const key = JSON.parse(found) as string;
  const oddity = forbiddenKeys.has(key)
    ? 'forbidden'
    : inside.seen.has(key)
      ? 'repeated'
      : undefined;
  if (oddity !== undefined)
    walk.oddKeys.push({oddity, path: jsonPathInto(inside.path, key), offset});
  inside.seen.add(key);
  inside.member = key;
  return '":"';
}

/** Keys that, in careless code, reach into what all objects share. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function readComma(walk: Walk, found: string): Expected | Fault {
  const {inside} = walk;
  if (inside === undefined || found !== ',') return unexpected(walk, found);
  if (typeof inside.member === 'number') inside.member += 1;
  return inside.isObject ? 'a key in quotes' : 'a value';
}

function leave(walk: Walk): Expected {
  walk.inside = walk.inside?.outer;
  return afterValueIn(walk.inside);
}

function afterValueIn(container: Container | undefined): Expected {
  if (container === undefined) return 'the end';
  return container.isObject ? '"," or "}"' : '"," or "]"';
}

function unexpected({expected}: Walk, found: string): Fault {
  if (found === '')
    return {
      fault: `the text ends where ${expected} should be; it was cut short, or a bracket is not closed`,
    };
  return {fault: `found ${excerpt(found, 20)} where ${expected} should be`};
}
