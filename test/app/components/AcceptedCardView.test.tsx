import assert from 'node:assert/strict';
import {test} from 'node:test';
import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import {render} from 'ink-testing-library';
import type {AcceptedCard} from '../../../source/reports/index.ts';
import {AcceptedCardView} from '../../../source/app/components/AcceptedCardView.tsx';
import type {AppView} from '../../../source/app/hooks/use-view.ts';
import {createStore, StoreContext} from '../../../source/app/store.tsx';
import {nothingYet, open} from '../screens/fixtures.ts';

const card: AcceptedCard = {
  run: 'r1',
  objective: 'Stop charging expired cards',
  durationMs: 372_000,
  files: 8,
  added: 43,
  removed: 1,
  tokens: 469_020,
  cost: 2.31,
  from: 0,
  to: 372_000,
  tasks: [
    {number: 1, title: 'Validate card expiry', end: 'merged', segments: [], durationMs: 72_000},
    {number: 2, title: 'Export orders', end: 'discarded', segments: []},
  ],
  checks: ['test', 'build'],
  rules: 6,
  redTries: 2,
  asked: {times: 3, totalMs: 151_000},
  branch: 'main',
  before: '99f4dfa0000',
  commit: 'c7589680000',
  notes: '.orchestra/knowledge/2026-11-17-r1.md',
};

function frameOf(given: AcceptedCard, undoText?: string): string {
  const {state, now} = nothingYet();
  const {model} = open(state, now, {columns: 120, rows: 40});
  const store = createStore<AppView>({model, state, now, size: model.size});
  const {lastFrame, unmount} = render(
    <StoreContext value={store as never}>
      <Box width={100} flexDirection="column">
        <AcceptedCardView card={given} undoText={undoText} />
      </Box>
    </StoreContext>,
  );
  const frame = stripVTControlCharacters(lastFrame() ?? '');
  unmount();
  return frame;
}

test('says what was done, what proves it and where it is', () => {
  const frame = frameOf(card);
  for (const text of [
    '1 task in 6m12 · 8 files +43 -1 · 469k tokens · $2.31',
    'test ✓  build ✓  after every task and every merge · 6 rules kept',
    '2 tries were red; you were asked 3 times, which took 2m31',
    'main  99f4dfa → c758968',
    'notes  .orchestra/knowledge/2026-11-17-r1.md',
    '✓ 1 Validate card expiry',
    '– 2 Export orders',
  ])
    assert.ok(frame.includes(text), `${text} is missing in\n${frame}`);
});

test('without checks it says that nothing proves it', () => {
  assert.match(frameOf({...card, checks: []}), /No checks: nothing has proved that it works\./);
});

test('how to undo it is there only as long as it can be undone', () => {
  const text = 'U moves main back to 99f4dfa as long as nothing was built on it.';
  assert.ok(frameOf(card, text).includes(text));
  assert.ok(!frameOf(card).includes('moves main back'));
});
