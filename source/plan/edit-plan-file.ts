import {stringify} from 'yaml';
import type {Plan} from '../domain/index.ts';
import {showHidden} from './check-plan.ts';

/**
 * A plan as the YAML document that a person edits, with a comment above each field. Parsed
 * unchanged it gives the same plan. Comments never contain text of the plan, so nothing that a
 * planner wrote can pass for one.
 */
export function formatPlanFile(plan: Plan): string {
  const {plan: shown} = showHidden(plan);
  const parts = fields.map(
    ({name, comment}) =>
      `${comment.map((line) => `# ${line}\n`).join('')}${stringify({[name]: shown[name]}, stringifyOptions)}`,
  );
  return [...head.map((line) => `# ${line}\n`), '\n', parts.join('\n')].join('');
}

const head = [
  'The plan. Save and close to propose your version; orchestra checks it, and you approve it.',
  'Leave the file as it is, or empty it, to change nothing.',
  'A text with ":" or "#" in it goes in single quotes; a long one on lines of their own after "|".',
];

const fields: readonly {readonly name: keyof Plan; readonly comment: readonly string[]}[] = [
  {name: 'objective', comment: ['What was asked for.']},
  {name: 'problem', comment: ['The objective restated as a problem.']},
  {name: 'rootCause', comment: ['Why the problem exists.']},
  {name: 'assumptions', comment: ['What the plan assumes. A list of texts, or [] for none.']},
  {name: 'invariants', comment: ['What must still be true afterwards. A list of texts.']},
  {name: 'risks', comment: ['What could go wrong. A list of texts.']},
  {
    name: 'rejected',
    comment: ['Other ways that were considered: alternative, and the reason why not.'],
  },
  {
    name: 'tasks',
    comment: [
      'Each task is done by one worker in its own worktree.',
      '  id: t1, t2, … each used once    title: one line    brief: what to do, for somebody who knows nothing else',
      '  files: paths or globs that it may change    after: ids of earlier tasks that it builds on',
      '  services: names of services that must be ready    skill: the name of a skill (may be left out)',
      '  tools: names of the tool servers that it gets (may be left out)',
    ],
  },
  {
    name: 'validation',
    comment: [
      'Exact commands that prove the result, beside those of the rules file: name and command.',
    ],
  },
];

const stringifyOptions = {
  // Folding would break long lines at arbitrary places.
  lineWidth: 0,
  blockQuote: 'literal',
  // A repeated text must not become an anchor and an alias, which the parser rejects.
  aliasDuplicateObjects: false,
  version: '1.2',
  schema: 'core',
} as const;
