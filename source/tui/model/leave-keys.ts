import type {Settings} from './model.ts';

/** The control characters that end typing, by what a person prefers. */
export const leaveKeys: Readonly<Record<Settings['leave'], number>> = {'ctrl-]': 0x1d, 'ctrl-g': 0x07, 'ctrl-\\': 0x1c};
