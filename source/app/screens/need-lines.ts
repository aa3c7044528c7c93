import {formatAge} from '../../reports/index.ts';
import {type Need, selectRun, type State} from '../../domain/index.ts';
import {
  blank,
  heading,
  type Line,
  paragraph,
  pressable,
  type Pressed,
  safeLine,
  span,
  widthOfLine,
} from '../model/line.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from '../model/model.ts';
import type {ScreenView} from './body.ts';

/**
 * One-time codes for a person who sent the command from another terminal. Everyone who sees this
 * screen can read them.
 */
export function codeLines(
  model: Model,
  {intent}: Extract<Need, {readonly kind: 'intrusion'}>,
  now: number,
  columns: number,
): Line[] {
  const open = (model.answers.codes ?? []).filter(
    (one) => one.intent === intent && one.until > now,
  );
  if (open.length === 0)
    return paragraph(
      'No one-time code waits for it: it is too old, used up, or was never for a person. Who asks again gets a new one.',
      columns - 4,
      {first: '  ', tone: 'quiet'},
    );
  return [
    ...open.flatMap(({code, what, words, until}) => [
      [
        span('  '),
        span(safeLine(code), 'accent'),
        span(`  ${safeLine(what)}, for ${formatAge(until - now)} more`),
      ],
      ...paragraph(`asked by ${words}`, columns - 4, {first: '  ', tone: 'quiet'}),
    ]),
    blank,
    ...paragraph(
      `If that is you: repeat the command there with --code and this code. If not: ${keyFor(model, 'seen', 'need-intrusion')}, and the code is worth nothing.`,
      columns - 4,
      {first: '  '},
    ),
  ];
}

export function optionLines(
  model: Model,
  options: readonly string[],
  need: Extract<Need, {readonly kind: 'question'}>,
  columns: number,
): Line[] {
  const [writes, types] = [keyFor(model, 'answer'), keyFor(model, 'type', 'need-question')];
  return [
    ...(options.length === 0
      ? [
          [
            span(
              need.asked === undefined
                ? `  ${writes} writes an answer; ${types} types straight into its pane.`
                : `  ${writes} writes an answer.`,
            ),
          ],
        ]
      : answerLines(options, columns)),
    ...paragraph(explainQuestion(need), columns - 4, {first: '  ', tone: 'quiet'}),
  ];
}

function explainQuestion({
  proof,
  asked,
  source,
}: Extract<Need, {readonly kind: 'question'}>): string {
  if (asked !== undefined) return 'The agent asks you, and waits for your answer.';
  if (source === 'agent') return 'The agent itself says that it waits for you.';
  if (source === 'screen')
    return 'Its dialog stands on its screen. A number chooses in that very dialog, or does nothing.';
  return proof === 'proven'
    ? 'The kernel says that it waits for input.'
    : 'It seems to wait: it is silent and its last line looks like a question.';
}

/** Short options on one line, else one per line. Each can be clicked. */
function answerLines(options: readonly string[], columns: number): Line[] {
  const row = options.flatMap((option, index) =>
    pressable(toOption(index), span(`  ${index + 1} `, 'accent'), span(option, 'strong')),
  );
  if (widthOfLine(row) <= Math.min(columns - 2, 60)) return [row];
  return options.flatMap((option, index) =>
    paragraph(option, columns - 6, {first: `  ${index + 1} `, tone: 'strong'}).map((line) =>
      pressable(toOption(index), ...line),
    ),
  );
}

function toOption(index: number): Pressed {
  return {action: 'option', chord: String(index + 1)};
}

export function planLines(
  state: State,
  {run: id}: Extract<Need, {kind: 'plan'}>,
  columns: number,
): Line[] {
  const stage = selectRun(state, id)?.stage;
  if (stage?.at !== 'reviewing') return [];
  const {plan} = stage.proposal;
  return [
    ...paragraph(plan.problem, columns - 4, {first: '  '}),
    blank,
    heading('  Tasks'),
    ...plan.tasks.flatMap(({id: name, title, after}) =>
      paragraph(
        `${title}${after.length === 0 ? '' : ` (after ${after.join(', ')})`}`,
        columns - 8,
        {first: `  ${name}  `},
      ),
    ),
  ];
}

export function branchLines(
  model: Model,
  {run, branch, expected, found, relation}: Extract<Need, {kind: 'branch'}>,
  columns: number,
): Line[] {
  const keys = [
    ...(relation === 'ahead'
      ? [
          `${keyFor(model, 'adopt-branch', 'need-branch')} takes it over: ${run} goes on from there, and the next merge is checked on top of it.`,
        ]
      : []),
    `${keyFor(model, 'restore-branch', 'need-branch')} puts ${branch} back to ${expected.slice(0, 12)}; what is there now is kept under another name.`,
  ];
  return [
    ...paragraph(
      `What is there and is not the run's: git diff ${expected.slice(0, 12)} ${found.slice(0, 12)}`,
      columns - 4,
      {first: '  '},
    ),
    blank,
    ...keys.flatMap((line) => paragraph(line, columns - 4, {first: '  '})),
    blank,
    ...paragraph(
      `Nothing is merged into ${branch}, and nothing is accepted, until you have said what holds.`,
      columns - 4,
      {first: '  ', tone: 'quiet'},
    ),
  ];
}

export function acceptLines(
  {model, state}: Pick<ScreenView, 'model' | 'state'>,
  {run: id, refusal, isUnchecked}: Extract<Need, {kind: 'accept'}>,
  columns: number,
): Line[] {
  const run = selectRun(state, id);
  const into = run !== undefined && 'ground' in run.stage ? run.stage.ground.branch : null;
  return [
    ...(run?.tasks ?? []).flatMap(({planned, stage}) =>
      paragraph(`${planned.title}: ${stage.at}`, columns - 10, {
        first: `  ${stage.at === 'merged' ? '✓' : '-'} ${planned.id}  `,
        tone: stage.at === 'merged' ? 'plain' : 'quiet',
      }),
    ),
    blank,
    ...paragraph(
      `${isUnchecked === true ? 'Every check was green after the last merge; no check has seen what you took over after it.' : 'Every check was green after the last merge.'} ${refusal === undefined ? '' : 'Your branch is as it was: see to what is named above, then '}${keyFor(model, 'accept', 'need-accept')} brings it into ${into ?? 'your checkout'}.`,
      columns - 4,
      {first: '  '},
    ),
  ];
}
