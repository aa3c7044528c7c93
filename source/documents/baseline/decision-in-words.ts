import type {BaselineDecision} from '../../domain/index.ts';

/** What is done about a check that is red on the base. */
export const decisionInWords: Readonly<Record<BaselineDecision, string>> = {
  mend: 'the first task mends it',
  ignore: 'it is not run in this run',
  'no-new': 'what failed before may fail, nothing new',
  count: 'it counts as ever; the plan makes it green',
};
