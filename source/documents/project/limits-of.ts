import {type Limits, type Project, usualLoopLimits, usualPauses} from '../../domain/index.ts';

/** What holds when the project file is silent; a limit without a default is none. */
export type KnownLimits = Limits &
  Required<
    Pick<
      Limits,
      | 'attemptMinutes'
      | 'noProgressMinutes'
      | 'checkMinutes'
      | 'pauseSeconds'
      | 'pauseMinutes'
      | 'contextTokens'
      | 'toolResultTokens'
      | keyof typeof usualLoopLimits
      | 'onLoop'
    >
  >;

/** The limits of a project with the defaults of those that it does not name. */
export function limitsOf({limits}: Pick<Project, 'limits'>): KnownLimits {
  return {
    attemptMinutes: 60,
    noProgressMinutes: 15,
    checkMinutes: 20,
    ...usualPauses,
    contextTokens: 6000,
    toolResultTokens: 2000,
    ...usualLoopLimits,
    onLoop: 'ask',
    ...limits,
  };
}
