import {inDomain, type Mutation} from './mutation.ts';

/** Variants of a task, and the pick of one of them. */
export const variantMutations: readonly Mutation[] = [
  inDomain(
    'select/progress.ts',
    '!isUndecided(run, task) && selectUnmergedPredecessors(state, run, task).length === 0',
    'selectUnmergedPredecessors(state, run, task).length === 0',
    'a variant is merged before a person picks one',
  ),
  inDomain(
    'select/progress.ts',
    'run.moved === undefined && !isUndecided(run, task);',
    'run.moved === undefined;',
    'variants that wait for a pick seem to go on by themselves',
  ),
  inDomain(
    'select/variant-needs.ts',
    'green.length === 0 || variants.some((task) => isGoing(state, run, task))',
    'green.length === 0',
    'a pick is asked for while another variant still works',
  ),
  inDomain(
    'select/variants.ts',
    "selectVariants(run, named).find(({stage}) => stage.at !== 'discarded') ?? named",
    'named',
    'the tasks after variants go with the first of them',
  ),
  inDomain(
    'select/undo.ts',
    'if (picked !== undefined) return',
    'if (picked === task) return',
    'a discarded variant comes back beside the one that counts',
  ),
  inDomain(
    'evolve/merge.ts',
    '...(selectVariants(run, task).length > 1 ? {picked: true} : {}),',
    '',
    'a discarded variant comes back while the merged one is worked on again',
  ),
  inDomain(
    'decide/task-commands.ts',
    "return stage.commit === commit ? {type: 'variant-picked'",
    "return commit !== '' ? {type: 'variant-picked'",
    'another commit is picked than the one that was shown',
  ),
  inDomain(
    'decide/next-event.ts',
    'picked === undefined || picked === task',
    'picked !== task || picked === task',
    'the variants that were not picked stay',
  ),
  inDomain(
    'decide/open-run.ts',
    "...(index === 0 ? {} : {variantOf: 't1'}),",
    '',
    'agents that are opened side by side are all merged',
  ),
  {
    file: 'source/reports/tool-answers.ts',
    find: '!variants.includes(other)',
    replace: 'other !== task',
    means: 'a worker learns of the other variants of its task',
    tests: ['test/reports/tool-answers.test.ts'],
  },
];
