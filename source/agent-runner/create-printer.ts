import {pluralize, sanitizeText} from '../shared/index.ts';
import type {Retry, StreamEvent, ToolCall} from '../agents/index.ts';

type PrinterTone = 'dim' | 'bad' | 'good';

export type Printer = {
  readonly show: (event: StreamEvent) => void;
  readonly print: (text: string, tone: PrinterTone) => void;
  readonly end: (text: string, tone: PrinterTone) => void;
};

export type PrinterOptions = {
  readonly out: (text: string) => void;
  readonly color: boolean;
  /** The agent's working directory; paths below it are shown relative to it. */
  readonly directory?: string;
};

/**
 * Shows a stream to a person. The agent's text starts at the beginning of a line and is never cut
 * or wrapped, because a plan is parsed from it; everything else is one line behind a sign.
 */
export function createPrinter({out, color, directory}: PrinterOptions): Printer {
  const painted = (text: string, tone: PrinterTone): string =>
    color ? `\u001B[${codes[tone]}m${text}\u001B[0m` : text;
  /** Calls that are on the screen and have not ended. */
  const open = new Map<string, ToolCall>();
  /** What is on the current line, if the cursor is not at its beginning. */
  let current: 'text' | 'thought' | ToolCall | undefined;
  /** Ids of open calls whose arguments are not complete yet. */
  const announced = new Set<string>();
  /** How many characters the line of a thought may still have. */
  let space = 0;
  let session = '';
  const formatHead = ({name, about}: ToolCall): string =>
    oneLine(
      about === ''
        ? name
        : `${name} ${directory === undefined ? about : about.replaceAll(`${directory}/`, '')}`,
    );
  const line = (text = ''): void => {
    if (current !== undefined) out('\n');
    current = undefined;
    if (text !== '') out(`${text}\n`);
  };

  const print = (text: string, tone: PrinterTone): void => {
    line(painted(oneLine(text), tone));
  };

  const showText = (text: string, isPart: boolean, begins: boolean): void => {
    const shown = escapeHidden(text);
    if (shown === '') return;
    if (!isPart || begins || current !== 'text') line();
    out(isPart ? shown : `${shown.replace(/\n+$/, '')}\n`);
    current = isPart && !shown.endsWith('\n') ? 'text' : undefined;
  };

  /** A thought on one line, cut at its maximal length. */
  const showThought = (text: string, begins: boolean): void => {
    if (begins || current !== 'thought') {
      line();
      out(painted('… ', 'dim'));
      space = thoughtLength;
    }

    current = 'thought';
    const piece = Array.from(
      sanitizeText(text.slice(0, thoughtLength * 4).replaceAll(/\s+/g, ' ')),
    );
    if (space <= 0 || piece.length === 0) return;
    out(
      painted(
        piece.length <= space ? piece.join('') : `${piece.slice(0, space - 1).join('')}…`,
        'dim',
      ),
    );
    space -= piece.length;
  };

  /** Shows the name of a call while its arguments are still incomplete. */
  const announceTool = (id: string, name: string): void => {
    if (open.has(id)) return;
    const call = {id, name, about: ''};
    open.set(id, call);
    announced.add(id);
    line();
    out(`${painted('●', 'good')} ${formatHead(call)}`);
    current = call;
  };

  const startTool = (call: ToolCall): void => {
    const known = open.get(call.id);
    if (known !== undefined && !announced.delete(call.id)) return;
    open.set(call.id, call);
    if (known !== undefined && current === known && call.name === known.name) {
      out(formatHead(call).slice(formatHead(known).length));
    } else {
      line();
      out(`${painted('●', 'good')} ${formatHead(call)}`);
    }

    current = call;
  };

  const endTool = ({
    id,
    isOk,
    text,
    diff,
  }: Extract<StreamEvent, {readonly type: 'tool-ended'}>): void => {
    const call = open.get(id);
    open.delete(id);
    announced.delete(id);
    const sign = isOk ? painted('✓', 'good') : painted('✗', 'bad');
    // Only the output of a failed call is shown.
    const message = isOk ? '' : ` ${oneLine(text)}`;
    if (call !== undefined && current === call) out(` ${sign}${message}\n`);
    else line(`${sign} ${call === undefined ? 'tool' : formatHead(call)}${message}`);
    current = undefined;
    if (isOk)
      for (const changed of shortDiff(diff ?? call?.diff ?? ''))
        line(painted(`    ${changed}`, diffTones[changed.charAt(0)] ?? 'dim'));
  };

  const show = (event: StreamEvent): void => {
    switch (event.type) {
      case 'session':
        if (event.id !== session && event.id !== '')
          print(
            `session ${event.id}${event.model === undefined || event.model === '' ? '' : ` · ${event.model}`}`,
            'dim',
          );
        session = event.id === '' ? session : event.id;
        return;
      case 'text':
        showText(event.text, event.isPart === true, event.begins === true);
        return;
      case 'thought':
        if (event.isPart === true) showThought(event.text, event.begins === true);
        else if (event.text.trim() !== '') print(`… ${event.text.trim()}`, 'dim');
        return;
      case 'tool-announced':
        announceTool(event.id, event.name);
        return;
      case 'tool-started':
        startTool(event);
        return;
      case 'tool-ended':
        endTool(event);
        return;
      case 'notice':
        if (event.text.trim() !== '') print(`· ${event.text}`, 'dim');
        return;
      case 'retry':
        print(`· ${retryLine(event)}`, 'dim');
        return;
      case 'problem':
        print(`✗ ${event.problem.said}`, 'bad');
        return;
      case 'read':
      case 'turn-ended':
      case 'writing':
      case 'usage':
      case 'done':
    }
  };

  return {
    show,
    print,
    end: (text, tone) => {
      print(`─ ${text}`, tone);
    },
  };
}

const thoughtLength = 160;

const diffTones: Readonly<Record<string, PrinterTone>> = {'+': 'good', '-': 'bad'};

function retryLine({said, status, attempt, of}: Retry): string {
  const why = [
    ...(status === undefined || said.includes(String(status)) ? [] : [`HTTP ${status}`]),
    ...(said === '' ? [] : [said]),
  ].join(', ');
  const count =
    attempt === undefined || attempt === 0
      ? ''
      : ` (${attempt}${of === undefined || of === 0 ? '' : ` of ${of}`})`;
  return `The service failed${why === '' ? '' : `: ${why.replace(/\.$/, '')}`}; trying again${count}.`;
}

const codes: Readonly<Record<PrinterTone, number>> = {dim: 2, bad: 31, good: 32};

/** Hostile text as one sanitised line of limited length. */
export function oneLine(text: string, max = 160): string {
  const line = sanitizeText(
    text
      .slice(0, max * 4)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const characters = Array.from(line);
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** The first lines of a diff, each behind its sign, and how many more there are. */
export function shortDiff(diff: string, max = 6): string[] {
  if (diff === '') return [];
  const shown = diff
    .split('\n', max)
    .map((line) =>
      `${/^[+-]/.test(line) ? line.charAt(0) : ' '} ${oneLine(line.replace(/^[+-]/, ''), 120)}`.trimEnd(),
    );
  const rest = countLines(diff) - shown.length;
  return rest === 0 ? shown : [...shown, `… ${pluralize(rest, 'more line')}`];
}

/** Counts without a list of lines: a hostile diff can have millions. */
function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/**
 * The agent's text, uncut. Characters that act on a terminal, hide or reorder text are shown as
 * JSON escapes, so that a plan with such characters in its strings, as Persian text has them, still
 * parses to the same plan.
 */
export function escapeHidden(text: string): string {
  return text
    .replaceAll(/\r+\n/g, '\n')
    .replaceAll(suspicious, (character) =>
      sanitizeText(character) === character ? character : escaped(character),
    );
}

const suspicious = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2060-\u2069\u{E0000}-\u{E007F}]/gu;

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
