import type {Item} from '../item.ts';

export const livePanes: Item = {
  number: 15,
  title: 'a dead session that is chosen hides no live one; a shell is typed into at once',
  seenBy: 'test/app/model/pane-grid.test.ts, test/app/model/typing.test.ts',
};
