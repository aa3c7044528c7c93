import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import {createLowlight} from 'lowlight';
import {type Line, span, type Tone} from '../model/line.ts';

/**
 * Highlights code and returns the same number of lines. Code in an unknown language stays plain.
 */
export type Highlight = (lines: readonly string[], path: string) => readonly Line[];

/** Loaded with the first diff: the languages take longer to load than the rest of the app. */
export function createHighlight(): Highlight {
  const lowlight = createLowlight({
    bash,
    c,
    cpp,
    css,
    go,
    java,
    javascript,
    json,
    markdown,
    php,
    python,
    ruby,
    rust,
    sql,
    typescript,
    xml,
    yaml,
  });
  return (lines, path) => {
    const language = detectLanguage(path);
    const text = lines.join('\n');
    if (language === undefined || text.length > maxCharacters)
      return lines.map((one) => [span(one)]);
    return toLines(lowlight.highlight(language, text).children, lines.length);
  };
}

/** Longer text would make keys slow. */
const maxCharacters = 60_000;

type Node = {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly properties?: {readonly className?: unknown};
};

function toLines(nodes: readonly Node[], count: number): Line[] {
  const lines: Line[] = Array.from({length: count}, () => []);
  let row = 0;
  const visit = (node: Node, tone: Tone): void => {
    if (node.value !== undefined) {
      node.value.split('\n').forEach((piece, index) => {
        if (index > 0) row += 1;
        if (piece !== '' && row < count) lines[row] = [...(lines[row] ?? []), span(piece, tone)];
      });
      return;
    }

    const own = toTone(node.properties?.className) ?? tone;
    for (const child of node.children ?? []) visit(child, own);
  };

  for (const node of nodes) visit(node, 'plain');
  return lines;
}

function toTone(className: unknown): Tone | undefined {
  const name: unknown = Array.isArray(className) ? className[0] : undefined;
  return typeof name === 'string' ? tones[name.replace(/^hljs-/, '')] : undefined;
}

const tones: Readonly<Record<string, Tone>> = {
  keyword: 'keyword',
  built_in: 'keyword',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  symbol: 'string',
  comment: 'comment',
  doctag: 'comment',
  meta: 'comment',
  quote: 'comment',
  title: 'name',
  name: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  section: 'title',
  type: 'name',
  'selector-tag': 'keyword',
  'selector-class': 'name',
  tag: 'keyword',
  variable: 'plain',
  strong: 'strong',
  bullet: 'keyword',
  code: 'string',
  link: 'string',
};

export function detectLanguage(path: string): string | undefined {
  const name = path.split('/').at(-1) ?? '';
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  if (Object.hasOwn(endings, ending)) return endings[ending];
  return name === 'Makefile' || name === 'Dockerfile' ? 'bash' : undefined;
}

const endings: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  md: 'markdown',
  py: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  kt: 'java',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  css: 'css',
  scss: 'css',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  vue: 'xml',
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  rb: 'ruby',
  php: 'php',
  sql: 'sql',
};
