import path from 'node:path';
import {branchPrefixOf, checkRules, readRules} from '../../documents/index.ts';
import {runOf, type Ground} from '../../domain/index.ts';
import {bytesOrThrow, readRegularFile} from '../../files/index.ts';
import {freeBranch, surveyRepository} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {checkoutOf} from './task-of-effect.ts';

export const rulesFile = '.rulesfile.md';

/** What a run stands on, copied now: the base commit, the person's branch, the rules. */
export function survey(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'survey') return;
    const checkout = checkoutOf(workshop, runOf(workshop.state(), effect.run));
    const workspace = {...workshop.workspace(), root: checkout};
    const {base, branch, notes} = await surveyRepository(workspace);
    for (const {words} of notes) workshop.log(`${effect.run}: ${words}`);
    const rules = rulesOf(checkout);
    const ownBranch = await freeBranch(
      workspace,
      `${branchPrefixOf(workshop.state().project)}/${effect.run}`,
    );
    const isChecked = workshop.state().project.baseline !== false;
    await report({
      type: 'run-surveyed',
      run: effect.run,
      ground: {
        base,
        branch,
        rules,
        ownBranch,
        ...(isChecked ? {baseline: true} : {}),
        ...(notes.length === 0 ? {} : {notes}),
      },
    });
  };
}

/** No rules file is no rules; one that cannot be read as a whole is not half a rules file. */
export function rulesOf(root: string): Ground['rules'] {
  const text = rulesTextOf(root);
  const reading = readRules(text ?? '');
  if (reading.outline.isRefused)
    throw new Error(
      `${rulesFile} cannot be read: ${reading.problems[0]?.text ?? 'it is no text'}. See: orchestra rules check`,
    );
  const grave = checkRules(rulesFile, text ?? '').findings.find(({level}) => level === 'error');
  if (text !== undefined && grave !== undefined)
    throw new Error(`${rulesFile}:${grave.line}: ${grave.text} See: orchestra rules check`);
  return reading.value;
}

export function rulesTextOf(root: string): Uint8Array | undefined {
  const reading = readRegularFile(path.join(root, rulesFile), {
    maxBytes: mostBytes,
    below: root,
    links: 'inside',
  });
  return reading.at === 'refused' && reading.why === 'missing'
    ? undefined
    : bytesOrThrow(rulesFile, reading);
}

/** Its reader refuses much less, with the line; this is what is taken into memory at all. */
const mostBytes = 16 * 1024 * 1024;
