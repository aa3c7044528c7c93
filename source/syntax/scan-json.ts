import {excerpt} from '../shared/index.ts';

/** The positions of the values of a JSON text, and what is wrong with it before it is parsed. */
export type JsonScan = {
  /** `tasks[2].files[0]` → the offset at which that value begins. */
  readonly offsets: ReadonlyMap<string, number>;
  readonly oddKeys: readonly OddKey[];
  /** Why it is not JSON, or is not parsed. */
  readonly fault?: {readonly offset: number; readonly text: string};
};

export type OddKey = {
  readonly oddity: 'repeated' | 'forbidden';
  readonly path: string;
  readonly offset: number;
};

/**
 * Walks over JSON token by token, without recursion. It accepts what JSON.parse accepts (a test
 * compares them) and also finds the position of each value, and where and why it had to stop.
 */
export function scanJson(text: string): JsonScan {
  const walk: Walk = {expected: 'a value', inside: undefined, offsets: new Map(), oddKeys: []};
  for (const {found, offset} of jsonTokens(text)) {
    const next =
      found === undefined ? invalidToken(walk, text.charAt(offset)) : step(walk, found, offset);
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
  /** The key or the index of the current member. */
  member: string | number;
  readonly seen: Set<string>;
};

function invalidToken(walk: Walk, character: string): Fault {
  if (character !== '"') return unexpected(walk, character);
  return {
    fault:
      'the string that starts here is not closed, or has a line break, a control character or a wrong escape',
  };
}

/** Takes one token and returns what may come next. */
function step(walk: Walk, found: string, offset: number): Expected | Fault {
  switch (walk.expected) {
    case 'a value':
      return parseValue(walk, found, offset);
    case 'a value or "]"':
      return found === ']' ? leave(walk) : parseValue(walk, found, offset);
    case 'a key in quotes':
      return parseKey(walk, found, offset);
    case 'a key or "}"':
      return found === '}' ? leave(walk) : parseKey(walk, found, offset);
    case '":"':
      return found === ':' ? 'a value' : unexpected(walk, found);
    case '"," or "]"':
      return found === ']' ? leave(walk) : parseComma(walk, found);
    case '"," or "}"':
      return found === '}' ? leave(walk) : parseComma(walk, found);
    case 'the end':
      return found === '' ? 'the end' : unexpected(walk, found);
  }
}

/**
 * A plan is four levels deep. The limit protects the stack of recursive code that uses the document
 * later.
 */
const maxLevels = 32;

function parseValue(walk: Walk, found: string, offset: number): Expected | Fault {
  const {inside} = walk;
  if (/^(?:[\]}:,]|$)/.test(found)) return unexpected(walk, found);
  const depth = inside?.depth ?? 0;
  const path = inside === undefined || depth > 4 ? '' : jsonPathInto(inside.path, inside.member);
  if (path !== '') walk.offsets.set(path, offset);
  if (found !== '{' && found !== '[') return afterValueIn(inside);
  if (depth === maxLevels) return {fault: `brackets are nested more than ${maxLevels} deep`};

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

function parseKey(walk: Walk, found: string, offset: number): Expected | Fault {
  const {inside} = walk;
  if (inside === undefined || !found.startsWith('"')) return unexpected(walk, found);
  const key = JSON.parse(found) as string;
  const oddity = findOddity(key, inside.seen);
  if (oddity !== undefined)
    walk.oddKeys.push({oddity, path: jsonPathInto(inside.path, key), offset});
  inside.seen.add(key);
  inside.member = key;
  return '":"';
}

function findOddity(key: string, seen: ReadonlySet<string>): OddKey['oddity'] | undefined {
  if (forbiddenKeys.has(key)) return 'forbidden';
  return seen.has(key) ? 'repeated' : undefined;
}

/** Keys that can pollute prototypes in careless code. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function parseComma(walk: Walk, found: string): Expected | Fault {
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

/** `tasks[2].files[0]`: the path of a value in a JSON document. */
export function jsonPath(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(jsonPathInto, '');
}

/** The path of a member. A long key is cut, so that the path stays readable. */
export function jsonPathInto(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[A-Za-z_$][\w$]{0,39}$/.test(step)) return `${path}["${excerpt(step, 40)}"]`;
  return path === '' ? step : `${path}.${step}`;
}

export type JsonToken = {
  /** The token's text; empty at the end of the text, undefined where no token can begin. */
  readonly found: string | undefined;
  readonly offset: number;
};

/** The tokens of JSON in order, until the text ends or is not JSON. */
export function* jsonTokens(text: string): Generator<JsonToken, void> {
  const whitespace = /[ \t\n\r]*/y;
  const token =
    /[{}[\]:,]|"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?|true|false|null|$/y;
  for (;;) {
    whitespace.lastIndex = token.lastIndex;
    whitespace.test(text);
    const offset = whitespace.lastIndex;
    token.lastIndex = offset;
    const found = token.exec(text)?.[0];
    yield {found, offset};
    if (found === undefined || found === '') return;
  }
}

/**
 * The last fenced `json` block of a text with LF line ends. A block without a closing fence counts
 * too.
 */
export function lastJsonBlock(text: string): string | undefined {
  let opening: RegExpExecArray | undefined;
  for (const match of text.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*json(?:[ \t].*)?$/gim))
    opening = match;
  if (opening === undefined) return undefined;

  const [line, fence = ''] = opening;
  const body = text.slice(opening.index + line.length + 1);
  const end = new RegExp(`^[ \\t]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`, 'm').exec(body);
  return end === null ? body : body.slice(0, end.index);
}
