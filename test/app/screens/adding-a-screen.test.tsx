import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {Box} from 'ink';
import {rowText} from '../../../source/terminal/index.ts';
import {createInkHost} from '../../../source/app/ink/create-ink-host.tsx';
import {createStore, StoreContext} from '../../../source/app/store.tsx';
import {SessionsScreen} from './adding-a-screen.example.tsx';
import {busy, open} from './fixtures.ts';

test('the example in docs/adding-a-screen.md is the file that is compiled here', () => {
  const directory = import.meta.dirname;
  const page = readFileSync(path.join(directory, '../../../docs/adding-a-screen.md'), 'utf8');
  const example = readFileSync(path.join(directory, 'adding-a-screen.example.tsx'), 'utf8');
  assert.equal(/```tsx\n([^]*?)```/.exec(page)?.[1], example);
});

test('the example draws its list, with the cursor on the first row', () => {
  const harness = busy();
  const {model, state, now} = open(harness.state, harness.time);
  const size = {columns: 40, rows: 8};
  const host = createInkHost(
    <StoreContext value={createStore({model, state, size, now}) as never}>
      <Box width={size.columns} height={size.rows}>
        <SessionsScreen />
      </Box>
    </StoreContext>,
    {
      size,
      cellsOf: () => undefined,
      isScreenReader: false,
      onError: (error) => {
        throw error;
      },
    },
  );
  const {cells} = host.paint(size);
  host.close();
  const rows = Array.from({length: size.rows}, (_, row) => rowText(cells, row));
  assert.match(rows[0] ?? '', /^ Sessions {2}\d+$/);
  assert.match(rows[1] ?? '', /^ ▌s\d+ {2}/);
});
