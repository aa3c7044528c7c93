import {Box} from 'ink';
import {render} from 'ink-testing-library';
import type {ReactElement} from 'react';
import {type AppView, LookContext} from '../../../source/app/hooks/use-view.ts';
import {createStore, StoreContext} from '../../../source/app/store.tsx';
import {noneTheme} from '../../../source/app/theme/few-colours.ts';
import {signsFor} from '../../../source/app/theme/signs.ts';
import {type Fixture, nothingYet, open} from '../screens/fixtures.ts';

/** Words that would act on a terminal, hide, or break a row. */
export const evil =
  'a\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u202Eb\u200B\u009B31m\r\nnew\t\u{E0041}end 👩‍👩‍👧 数';

/** What Ink itself draws for a component in a box of this width, without styles. */
export function rowsOf(
  element: ReactElement,
  {
    columns = 40,
    fixture = open(nothingYet().state, nothingYet().now),
  }: {readonly columns?: number; readonly fixture?: Fixture} = {},
): readonly string[] {
  const {model, state, now} = fixture;
  const store = createStore<AppView>({model, state, now, size: model.size});
  const {lastFrame, unmount} = render(
    <StoreContext value={store as never}>
      <LookContext
        value={{theme: noneTheme, signs: signsFor({env: {LANG: 'C.UTF-8'}, setting: 'auto'})}}
      >
        <Box width={columns} flexDirection="column">
          {element}
        </Box>
      </LookContext>
    </StoreContext>,
  );
  const rows = (lastFrame() ?? '').replaceAll(/\u001B\[[\d;]*m/g, '').split('\n');
  unmount();
  return rows;
}
