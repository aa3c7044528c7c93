import {noChange, type Result, withConfirmation, withNotice} from './action.ts';
import {safeLine} from './line.ts';
import type {Model} from './model.ts';

/** Shows the whole file that would be written, and asks. */
export function offerStarterRules(model: Model, now: number): Result {
  const {starter} = model.repository;
  if (starter === undefined)
    return noChange(withNotice(model, 'There is a .rulesfile.md already.', now));
  const lines = starter.text.trimEnd().split('\n');
  const needed = rowsOf(lines, model.size.columns) + rowsAround;
  // What is approved is seen whole, or not written.
  if (model.size.rows < needed)
    return noChange(
      withNotice(model, `The file has to be seen whole first: that needs ${needed} rows.`, now),
    );
  return noChange(
    withConfirmation(model, {
      question: 'Write .rulesfile.md?',
      title: '',
      tone: 'accent',
      verb: 'write it',
      keep: 'leave it',
      facts: [
        ...lines.map((line, index) => ({label: index === 0 ? 'adds' : '', text: `+ ${line}`})),
        {label: 'then', text: 'agents read it from the next run on'},
      ],
      yes: {action: 'write-rules', text: starter.text},
    }),
  );
}

/** The frame of the dialog, its blank rows, its last fact and its buttons. */
const rowsAround = 7;

/** Lines of this file hold no wide characters. */
function rowsOf(lines: readonly string[], columns: number): number {
  const cells = Math.max(1, Math.min(maxDialogCells, columns - 2) - dialogMarginCells);
  return lines.reduce((sum, line) => sum + Math.ceil((line.length + 2) / cells), 0);
}

const maxDialogCells = 64;
/** Frame, margins and the column of labels. */
const dialogMarginCells = 13;

/** The file was written, or why it was not. */
export function handleRulesWritten(model: Model, problem: string | undefined, now: number): Model {
  return problem === undefined
    ? withNotice(
        model,
        'Written: .rulesfile.md. Edit it, and commit it with your work.',
        now,
        'good',
      )
    : withNotice(model, safeLine(problem), now, 'bad');
}
