import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {
  useDaemonState,
  useModel,
  useSigns,
  useSize,
  useSizeClass,
  useTheme,
  useView,
} from '../hooks/use-view.ts';
import {Clickable, Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import type {ScreenName} from '../model/model.ts';
import {type HelpKey, selectPlaceKeys} from '../select/help-keys.ts';
import {helpTopics, topicOf} from '../select/help-topics.ts';
import {screenLabels} from '../select/palette-entries.ts';
import {type SignName, signTokens} from '../theme/signs.ts';
import {Frame} from './Frame.tsx';
import {KeyHint} from './KeyHint.tsx';
import {OverlayBox} from './OverlayBox.tsx';
import {SafeText} from './SafeText.tsx';

/** Help of this place: its keys by what they do, those that work anywhere, signs, one idea. */
export function HelpOverlay(): ReactElement {
  const theme = useTheme();
  const model = useModel();
  const state = useDaemonState();
  const {rows} = useSize();
  const isNarrow = useIsNarrow();
  const {look, act, decide, anywhere} = selectPlaceKeys(model, state);
  return (
    <OverlayBox width={110} height={Math.min(34, rows - 3)}>
      <Frame
        tone="accent"
        isHeavy={theme.frames === 'heavy'}
        flexGrow={1}
        paddingX={2}
        title={<SafeText bold>{`Keys for ${nameOf(model.screen)}`}</SafeText>}
        state={<Close />}
        foot={<Keys />}
        footState={
          isNarrow ? undefined : (
            <SafeText tone="warn">CAPITALS decide, small letters look</SafeText>
          )
        }
      >
        <Scroll list="help" top={model.places.help.top}>
          <Columns>
            <KeyColumn title="Look" keys={look} />
            <KeyColumn title="Act" keys={act} />
            <KeyColumn title="Decide" keys={decide} />
          </Columns>
          <Heading>Anywhere</Heading>
          <Columns>
            {anywhere.map((keys, index) => (
              <KeyColumn key={index} keys={keys} />
            ))}
          </Columns>
          <Heading>Signs</Heading>
          <Signs />
          <Topic />
        </Scroll>
      </Frame>
    </OverlayBox>
  );
}

function useIsNarrow(): boolean {
  const sizeClass = useSizeClass();
  return sizeClass === 'phone' || sizeClass === 'small' || sizeClass === 'narrow';
}

function nameOf(screen: ScreenName): string {
  const others: Readonly<Partial<Record<ScreenName, string>>> = {
    start: 'Start',
    needs: 'what needs you',
    brief: 'Brief',
  };
  return others[screen] ?? screenLabels[screen] ?? screen;
}

function Close(): ReactElement {
  const key = useView(({model}) => keyFor(model, 'back', 'help'));
  return (
    <Clickable target={{type: 'action', action: 'back'}} height={1}>
      <SafeText tone="dim">{key}</SafeText>
    </Clickable>
  );
}

function Keys(): ReactElement {
  const help = useView(({model}) => keyFor(model, 'help', 'help'));
  const search = useView(({model}) => keyFor(model, 'search', 'help'));
  const change = useView(({model}) => keyFor(model, 'screen-keys', 'command'));
  return (
    <Box height={1} columnGap={3} overflow="hidden" flexWrap="wrap">
      <KeyHint keys={`${help} again`} text="all keys" action="help" />
      <KeyHint keys={search} text="find a key" action="search" />
      <KeyHint keys={change} text="change keys" action="screen-keys" />
    </Box>
  );
}

/** Beside each other where there is room, else one below the other. */
function Columns({children}: {readonly children: ReactNode}): ReactElement {
  const isNarrow = useIsNarrow();
  return (
    <Box flexShrink={0} flexDirection={isNarrow ? 'column' : 'row'} columnGap={2}>
      {children}
    </Box>
  );
}

function KeyColumn({
  title,
  keys,
}: {
  readonly title?: string;
  readonly keys: readonly HelpKey[];
}): ReactElement | null {
  const isNarrow = useIsNarrow();
  if (keys.length === 0 && isNarrow) return null;
  return (
    <Box flexDirection="column" flexShrink={0} {...(!isNarrow && {flexGrow: 1, flexBasis: 0})}>
      {title === undefined || keys.length === 0 ? null : <Heading isFirst>{title}</Heading>}
      {keys.map((key) => (
        <KeyRow key={`${key.keys} ${key.text}`} helpKey={key} />
      ))}
    </Box>
  );
}

export function KeyRow({
  helpKey: {keys, text, isOwn},
  width = 9,
}: {
  readonly helpKey: HelpKey;
  readonly width?: number;
}): ReactElement {
  return (
    <Box flexShrink={0}>
      <Box minWidth={width} flexShrink={0} marginRight={1}>
        <SafeText bold>{`${keys}${isOwn ? '*' : ''}`}</SafeText>
      </Box>
      <Box flexShrink={1}>
        <SafeText tone="dim" wrap="wrap">
          {text}
        </SafeText>
      </Box>
    </Box>
  );
}

export function Heading({
  isFirst = false,
  children,
}: {
  readonly isFirst?: boolean;
  readonly children: string;
}): ReactElement {
  return (
    <Box flexShrink={0} marginTop={isFirst ? 0 : 1}>
      <SafeText tone="accent" bold>
        {children}
      </SafeText>
    </Box>
  );
}

function Signs(): ReactElement {
  const {sign, segment} = useSigns();
  return (
    <>
      <Box flexShrink={0} flexWrap="wrap" columnGap={3}>
        {signTexts.map(([name, text]) => (
          <SafeText key={name}>
            <SafeText tone={signTokens[name]}>{sign[name]}</SafeText>
            <SafeText tone="dim">{` ${text}`}</SafeText>
          </SafeText>
        ))}
      </Box>
      <Box flexShrink={0} flexWrap="wrap" columnGap={2} aria-hidden>
        {(['done', 'current', 'pending', 'failed'] as const).map((stage) => (
          <SafeText key={stage}>
            <SafeText tone={segment(stage, 'wide').token}>{segment(stage, 'wide').text}</SafeText>
            <SafeText tone="dim">{` ${stageTexts[stage]}`}</SafeText>
          </SafeText>
        ))}
        <SafeText tone="dim">wrk rul chk mrg: work, rules, checks, merge</SafeText>
      </Box>
    </>
  );
}

const signTexts: readonly (readonly [SignName, string])[] = [
  ['work', 'works'],
  ['wait', 'waits'],
  ['asks', 'asks you'],
  ['failed', 'stopped'],
  ['passed', 'merged'],
  ['held', 'held by you'],
  ['yours', 'in your hands'],
];

const stageTexts = {
  done: 'done',
  current: 'under way',
  pending: 'to come',
  failed: 'failed',
} as const;

/** The topic that was asked for, or the one idea of this place. */
function Topic(): ReactElement | null {
  const topic = useView(({model: {help, screen}}) =>
    help?.at === 'place' && help.topic !== undefined
      ? helpTopics.find(({id}) => id === help.topic)
      : topicOf(screen),
  );
  if (topic === undefined) return null;
  return (
    <Box flexShrink={0} marginTop={1} columnGap={2}>
      <Box flexShrink={0}>
        <SafeText tone="accent" bold>
          {topic.title}
        </SafeText>
      </Box>
      <Box flexShrink={1}>
        <SafeText wrap="wrap">{topic.text}</SafeText>
      </Box>
    </Box>
  );
}
