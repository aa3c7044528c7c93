import assert from 'node:assert/strict';
import {Box} from 'ink';
import {render} from 'ink-testing-library';
import {Profiler, type ReactElement} from 'react';
import {displayWidth} from '../../../source/shared/index.ts';
import {takeToken, tokenAtEnd} from '../../../source/app/input/create-input-reader.ts';
import {type AppView, LookContext, useView} from '../../../source/app/hooks/use-view.ts';
import {createInkHost} from '../../../source/app/ink/create-ink-host.tsx';
import type {Region, Regions, Target} from '../../../source/app/ink/region.ts';
import {RegionsContext} from '../../../source/app/ink/regions.tsx';
import type {ActionName} from '../../../source/app/keymap/action-name.ts';
import {resolveAction} from '../../../source/app/keymap/resolve.ts';
import {update} from '../../../source/app/model/update.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {createStore, StoreContext} from '../../../source/app/store.tsx';
import {noneTheme} from '../../../source/app/theme/few-colours.ts';
import {signsFor} from '../../../source/app/theme/signs.ts';
import type {Theme} from '../../../source/app/theme/tokens.ts';
import {rowText} from '../../../source/terminal/index.ts';
import {assertShown} from '../../support/shown.ts';
import {type Fixture, nothingYet, open} from '../screens/fixtures.ts';

// Clock times on the screen are those of the machine.
process.env['TZ'] = 'UTC';

/** Words that would act on a terminal, hide, or break a row. */
export const evil =
  'a\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u202Eb\u200B\u009B31m\r\nnew\t\u{E0041}end 👩‍👩‍👧 数';

/** The same between two words that can be looked for, with piled marks and an endless word. */
export const hostile = `Foreign${evil} e${'\u0301'.repeat(4)}\u2066 ${'W'.repeat(300)} Tail`;

export type ShowOptions = {
  /** The width of the box around it. @default 40 */
  readonly columns?: number;
  /** The height of that box, for what fills a screen. @default as high as its content */
  readonly rows?: number;
  /** The app around it. @default an app in a repository without runs */
  readonly fixture?: Fixture;
  /** The window, if it differs from that of the fixture. */
  readonly size?: Size;
  readonly isScreenReader?: boolean;
  readonly signs?: 'auto' | 'ascii';
};

/** A component that lives in an app: it has a store, a theme, and keys. */
export type Shown = {
  /** What Ink itself draws, without styles. */
  readonly rows: () => readonly string[];
  readonly text: () => string;
  /** The app around it. */
  readonly fixture: Fixture;
  /** Writes to standard input: the keymap and the reducer of the app answer. */
  readonly write: (bytes: string) => Promise<void>;
  /** Changes the app around it, and lets React render. */
  readonly change: (change: (fixture: Fixture) => void) => Promise<void>;
  /** How often something in it was rendered. */
  readonly renders: () => number;
  readonly regions: () => readonly Region[];
  /** What can be clicked, in the order of the tree. */
  readonly targets: () => readonly Target[];
  readonly close: () => void;
};

export function show(
  element: ReactElement,
  {
    columns = 40,
    rows,
    fixture = open(nothingYet().state, nothingYet().now),
    size,
    isScreenReader = false,
    signs = 'auto',
  }: ShowOptions = {},
): Shown {
  if (size !== undefined) fixture.model = {...fixture.model, size};
  const store = createStore<AppView>(toView(fixture));
  const regions: Regions = new Map();
  let renders = 0;
  const tree = (
    <StoreContext value={store as never}>
      <LookContext
        value={{theme: noneTheme, signs: signsFor({env: {LANG: 'C.UTF-8'}, setting: signs})}}
      >
        <RegionsContext value={regions}>
          <Box
            width={columns}
            flexDirection="column"
            {...(rows !== undefined && {height: rows, overflow: 'hidden'})}
          >
            <Profiler
              id="shown"
              onRender={() => {
                renders++;
              }}
            >
              {element}
            </Profiler>
          </Box>
        </RegionsContext>
      </LookContext>
    </StoreContext>
  );
  const {lastFrame, unmount, stdin} = withReader(isScreenReader, () => render(tree));
  const change = async (by: (fixture: Fixture) => void): Promise<void> => {
    by(fixture);
    store.set(toView(fixture));
    // React commits in a microtask.
    await Promise.resolve();
  };
  // Components read no keys: the loop of the app does, and its reducer answers.
  stdin.on('data', (bytes: string) => {
    handleBytes(fixture, new TextEncoder().encode(bytes));
    store.set(toView(fixture));
  });
  const getRows = (): string[] =>
    (lastFrame() ?? '').replaceAll(/\u001B\[[\d;]*m/g, '').split('\n');
  return {
    rows: getRows,
    text: () => getRows().join('\n'),
    fixture,
    async write(bytes) {
      stdin.write(bytes);
      await Promise.resolve();
    },
    change,
    renders: () => renders,
    regions: () => [...regions.values()],
    targets: () =>
      [...regions.values()].flatMap((region) => (region.kind === 'target' ? [region.target] : [])),
    close: unmount,
  };
}

function toView({model, state, now}: Fixture): AppView {
  return {model, state, now, size: model.size};
}

/** Ink asks the environment, and ink-testing-library has no option for it. */
function withReader<Value>(isOn: boolean, make: () => Value): Value {
  if (!isOn) return make();
  process.env['INK_SCREEN_READER'] = 'true';
  try {
    return make();
  } finally {
    delete process.env['INK_SCREEN_READER'];
  }
}

function handleBytes(fixture: Fixture, bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) {
    const token = takeToken(rest) ?? tokenAtEnd(rest);
    rest = rest.subarray(token.bytes.length);
    if (token.type !== 'key') continue;
    fixture.now += 1000;
    const action = resolveAction(fixture.model, token.key, fixture.state);
    if (action === undefined) continue;
    const result = update(fixture.model, action, fixture.state, fixture.now);
    fixture.model = result.model;
    fixture.effects.push(...result.effects);
    fixture.commands.push(...result.commands);
  }
}

/** The rows of a component, once. */
export function rowsOf(element: ReactElement, options: ShowOptions = {}): readonly string[] {
  const shown = show(element, options);
  const rows = shown.rows();
  shown.close();
  return rows;
}

export function textOf(element: ReactElement, options: ShowOptions = {}): string {
  return rowsOf(element, options).join('\n');
}

/** What a click on each part of a component means. */
export function targetsOf(element: ReactElement, options: ShowOptions = {}): readonly Target[] {
  const shown = show(element, options);
  const targets = shown.targets();
  shown.close();
  return targets;
}

/** How often something in a component is rendered again after a change of the app around it. */
export async function rendersAfter(
  element: ReactElement,
  change: (fixture: Fixture) => void,
  options: ShowOptions = {},
): Promise<number> {
  const shown = show(element, options);
  const before = shown.renders();
  await shown.change(change);
  const renders = shown.renders() - before;
  shown.close();
  return renders;
}

/** Fails unless a component with equal properties is left alone when its parent renders again. */
export async function assertMemoized(
  make: () => ReactElement,
  options: ShowOptions = {},
): Promise<void> {
  let texts = 0;
  const theme = {
    ...noneTheme,
    // Every text that is drawn asks for its style.
    get styles() {
      texts++;
      return noneTheme.styles;
    },
  };
  const look = {theme, signs: signsFor({env: {LANG: 'C.UTF-8'}, setting: 'auto'})};
  function Parent(): ReactElement {
    useView(({now}) => now);
    return make();
  }

  const shown = show(
    <LookContext value={look}>
      <Parent />
    </LookContext>,
    options,
  );
  const [renders, before] = [shown.renders(), texts];
  assert.ok(before > 0, 'expected it to draw something at first');
  await shown.change((fixture) => {
    fixture.now += 1;
  });
  assert.ok(shown.renders() > renders, 'expected its parent to be rendered again');
  assert.equal(texts - before, 0, 'texts that were drawn again');
  shown.close();
}

/**
 * Fails unless hostile text in a component is shown, acts on nothing, hides nothing and stays in
 * its columns, also for a screen reader.
 */
export function assertSafe(element: ReactElement, options: ShowOptions = {}): void {
  for (const isScreenReader of [false, true]) {
    const rows = rowsOf(element, {...options, isScreenReader});
    for (const row of rows) assertShown(row);
    assert.match(rows.join(''), /Foreign|Tail/, 'expected the foreign text to be shown');
    if (isScreenReader) continue;
    const columns = options.columns ?? 40;
    for (const row of rows)
      assert.ok(displayWidth(row) <= columns, `wider than ${columns} cells: ${row}`);
  }
}

/** The same app with another text in the place of one, wherever it is. */
export function withText(fixture: Fixture, from: string, to: string = hostile): Fixture {
  return {
    ...fixture,
    model: replaceText(fixture.model, from, to),
    state: replaceText(fixture.state, from, to),
  };
}

export function replaceText<Value>(value: Value, from: string, to: string): Value {
  return replaceIn(value, from, to) as Value;
}

function replaceIn(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value.replaceAll(from, () => to);
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, from, to));
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [key, replaceIn(one, from, to)]));
  if (typeof value !== 'object' || value === null || value instanceof Set) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, replaceIn(one, from, to)]),
  );
}

export type PaintOptions = Omit<ShowOptions, 'rows' | 'size'> & {
  /** @default the fixture's */
  readonly rows?: number;
  readonly theme?: Theme;
};

/** Cells to the right of the box, so that what is wider than the box is seen. */
const marginColumns = 60;

/**
 * The rows of a component in a box of this width, in a window of this width, laid out by Ink and
 * painted by the app's own painter: without the 100 columns of ink-testing-library.
 */
export function paintRows(
  element: ReactElement,
  {
    columns = 40,
    fixture = open(nothingYet().state, nothingYet().now),
    rows = fixture.model.size.rows,
    isScreenReader = false,
    signs = 'auto',
    theme = noneTheme,
  }: PaintOptions = {},
): readonly string[] {
  const model = {...fixture.model, size: {columns, rows}};
  const store = createStore<AppView>(toView({...fixture, model}));
  const size = {columns: columns + marginColumns, rows};
  const host = createInkHost(
    <StoreContext value={store as never}>
      <LookContext value={{theme, signs: signsFor({env: {LANG: 'C.UTF-8'}, setting: signs})}}>
        <Box width={columns} height={rows} flexDirection="column">
          {element}
        </Box>
      </LookContext>
    </StoreContext>,
    {
      size,
      cellsOf: () => undefined,
      isScreenReader,
      onError: (error) => {
        throw error;
      },
    },
  );
  const {cells} = host.paint(size);
  host.close();
  return Array.from({length: rows}, (_, row) => rowText(cells, row).trimEnd());
}

export function paintText(element: ReactElement, options: PaintOptions = {}): string {
  return paintRows(element, options).join('\n').trimEnd();
}

/** Fails unless a component is nowhere wider than its box, in boxes of several widths. */
export function assertFits(
  element: ReactElement,
  {widths = [30, 60, 100], ...options}: PaintOptions & {readonly widths?: readonly number[]} = {},
): void {
  for (const columns of widths) {
    const rows = paintRows(element, {...options, columns});
    assert.ok(
      rows.some((row) => row.trim() !== ''),
      `expected it to draw something in ${columns} columns`,
    );
    for (const row of rows)
      assert.ok(displayWidth(row) <= columns, `wider than ${columns} cells: ${row}`);
  }
}

/**
 * Fails unless everything that is drawn with ASCII signs is ASCII, but the ellipsis where Ink cuts a
 * text.
 */
export function assertAscii(element: ReactElement, options: PaintOptions = {}): void {
  const text = paintText(element, {columns: 100, ...options, signs: 'ascii'});
  assert.match(text, /\S/, 'expected it to draw something');
  assert.deepEqual(text.match(/[^\u0000-\u007F…]/g) ?? [], [], text);
}

/** The same app with another key for an action, wherever the action has one. */
export function withKey(fixture: Fixture, action: ActionName, chord: string): Fixture {
  const {keymap} = fixture.model;
  return {
    ...fixture,
    model: {
      ...fixture.model,
      keymap: {
        ...keymap,
        bindings: keymap.bindings.map((binding) =>
          binding.action === action ? {...binding, keys: [chord]} : binding,
        ),
      },
    },
  };
}
