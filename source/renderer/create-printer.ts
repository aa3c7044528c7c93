import type {Retry, StreamEvent, ToolCall} from '../agents/index.ts';
import {sanitizeText} from '../base/index.ts';
import {oneLine} from './one-line.ts';
import {shortDiff} from './short-diff.ts';
import {shownText} from './shown-text.ts';

export type Tone = 'dim' | 'bad' | 'good';

export type Printer = {
  readonly show: (event: StreamEvent) => void;
  readonly say: (text: string, tone: Tone) => void;
  readonly end: (text: string, tone: Tone) => void;
};

export type PrinterOptions = {
  readonly out: (text: string) => void;
  readonly color: boolean;
  /** Where the agent works: paths in it are shown from there. */
  readonly directory?: string;
};

/**
 * Shows a stream to a person. What the agent says stands at the beginning of its lines and is never cut or wrapped, because a
 * plan is read from there; everything else stands behind a sign, on one line.
 */
export function createPrinter({out, color, directory}: PrinterOptions): Printer {
  const painted = (text: string, tone: Tone): string =>
    color ? `\u001B[${codes[tone]}m${text}\u001B[0m` : text;
  /** Calls that are shown and have not ended. */
  const open = new Map<string, ToolCall>();
  /** What the cursor stands behind, if not at the beginning of a line. */
  let behind: 'text' | 'thought' | ToolCall | undefined;
  /** Of those that are open: their arguments are still written. */
  const announced = new Set<string>();
  /** What is left of the line of a thought. */
  let room = 0;
  let session = '';
  const headOf = ({name, about}: ToolCall): string =>
    oneLine(
      about === ''
        ? name
        : `${name} ${directory === undefined ? about : about.replaceAll(`${directory}/`, '')}`,
    );
  const line = (text = ''): void => {
    if (behind !== undefined) out('\n');
    behind = undefined;
    if (text !== '') out(`${text}\n`);
  };

  const say = (text: string, tone: Tone): void => {
    line(painted(oneLine(text), tone));
  };

  const showText = (text: string, isPart: boolean, begins: boolean): void => {
    const shown = shownText(text);
    if (shown === '') return;
    if (!isPart || begins || behind !== 'text') line();
    out(isPart ? shown : `${shown.replace(/\n+$/, '')}\n`);
    behind = isPart && !shown.endsWith('\n') ? 'text' : undefined;
  };

  /** On one line, as far as a person reads it; the rest is left out. */
  const showThought = (text: string, begins: boolean): void => {
    if (begins || behind !== 'thought') {
      line();
      out(painted('… ', 'dim'));
      room = thoughtLength;
    }

    behind = 'thought';
    const piece = Array.from(
      sanitizeText(text.slice(0, thoughtLength * 4).replaceAll(/\s+/g, ' ')),
    );
    if (room <= 0 || piece.length === 0) return;
    out(
      painted(
        piece.length <= room ? piece.join('') : `${piece.slice(0, room - 1).join('')}…`,
        'dim',
      ),
    );
    room -= piece.length;
  };

  /** By its name, while its arguments are still written. */
  const announceTool = (id: string, name: string): void => {
    if (open.has(id)) return;
    const call = {id, name, about: ''};
    open.set(id, call);
    announced.add(id);
    line();
    out(`${painted('●', 'good')} ${headOf(call)}`);
    behind = call;
  };

  const startTool = (call: ToolCall): void => {
    const known = open.get(call.id);
    if (known !== undefined && !announced.delete(call.id)) return;
    open.set(call.id, call);
    if (known !== undefined && behind === known && call.name === known.name) {
      out(headOf(call).slice(headOf(known).length));
    } else {
      line();
      out(`${painted('●', 'good')} ${headOf(call)}`);
    }

    behind = call;
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
    // Only a failure has words that everybody wants to read.
    const words = isOk ? '' : ` ${oneLine(text)}`;
    if (call !== undefined && behind === call) out(` ${sign}${words}\n`);
    else line(`${sign} ${call === undefined ? 'tool' : headOf(call)}${words}`);
    behind = undefined;
    if (isOk)
      for (const changed of shortDiff(diff ?? call?.diff ?? ''))
        line(
          painted(
            `    ${changed}`,
            changed.startsWith('+') ? 'good' : changed.startsWith('-') ? 'bad' : 'dim',
          ),
        );
  };

  const show = (event: StreamEvent): void => {
    switch (event.type) {
      case 'session':
        if (event.id !== session && event.id !== '')
          say(
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
        else if (event.text.trim() !== '') say(`… ${event.text.trim()}`, 'dim');
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
        if (event.text.trim() !== '') say(`· ${event.text}`, 'dim');
        return;
      case 'retry':
        say(`· ${retryLine(event)}`, 'dim');
        return;
      case 'problem':
        say(`✗ ${event.problem.said}`, 'bad');
        return;
      case 'writing':
      case 'usage':
      case 'done':
    }
  };

  return {
    show,
    say,
    end: (text, tone) => {
      say(`─ ${text}`, tone);
    },
  };
}

const thoughtLength = 160;

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

const codes: Readonly<Record<Tone, number>> = {dim: 2, bad: 31, good: 32};
