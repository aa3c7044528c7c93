import type {Item} from '../item.ts';

export const trustDialogs: Item = {number: 11, title: 'first-start dialogs of agents are answered or told', seenBy: 'npm run test:agents'};
