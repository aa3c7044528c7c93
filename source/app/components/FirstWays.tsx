import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useView} from '../hooks/use-view.ts';
import {Clickable} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {
  type ExplainedWay,
  firstWays,
  isExplained,
  selectMarkedWay,
  wayLines,
} from '../model/first-ways.ts';
import type {FirstWay} from '../model/model.ts';
import {Frame} from './Frame.tsx';
import {HintedText} from './HintedText.tsx';
import {KeyHint} from './KeyHint.tsx';
import {SafeText} from './SafeText.tsx';
import {SelectRow} from './SelectRow.tsx';

/** Where no agent is installed: four ways on, and never a dead end. */
export function FirstWays(): ReactElement {
  const marked = useView(({model}) => selectMarkedWay(model));
  const enter = useView(({model}) => keyFor(model, 'take-way', 'ways'));
  return (
    <Frame
      tone="warn"
      flexShrink={0}
      paddingX={1}
      title={
        <SafeText tone="warn" bold>
          No coding agent is installed here
        </SafeText>
      }
    >
      <SafeText tone="dim" wrap="wrap">
        orchestra conducts agents that you have. Looked for: claude, codex, gemini, opencode, pi.
      </SafeText>
      <Box flexDirection="column" flexShrink={0} marginY={1}>
        {firstWays.map((way, index) => (
          <Clickable key={way} target={{type: 'item', list: 'ways', index}}>
            <WayRow way={way} number={index + 1} isMarked={way === marked} />
          </Clickable>
        ))}
      </Box>
      <SafeText tone="dim" wrap="wrap">
        {`${enter} takes the marked one. Nothing is changed in this repository before you say so.`}
      </SafeText>
      <Explanation />
    </Frame>
  );
}

function WayRow({
  way,
  number,
  isMarked,
}: {
  readonly way: FirstWay;
  readonly number: number;
  readonly isMarked: boolean;
}): ReactElement {
  const {title, text} = wayTexts[way];
  return (
    <SelectRow isSelected={isMarked} flexGrow={1} flexShrink={1}>
      <Box flexShrink={0} width={29} paddingLeft={1}>
        <SafeText>
          <SafeText tone="accent" bold>
            {String(number)}
          </SafeText>
          <SafeText bold>{`  ${title}`}</SafeText>
        </SafeText>
      </Box>
      <Box flexShrink={1}>
        <SafeText tone="dim">{text}</SafeText>
      </Box>
    </SelectRow>
  );
}

const wayTexts: Readonly<Record<FirstWay, {readonly title: string; readonly text: string}>> = {
  demo: {
    title: 'see the whole loop now',
    text: 'a throw-away repository with a real bug; no account, 1 min',
  },
  install: {
    title: 'install one',
    text: 'shows the command for each, and looks again by itself',
  },
  declare: {
    title: 'use another program',
    text: 'declare it in .orchestra/project.yaml, from a template',
  },
  playbook: {
    title: 'follow a playbook',
    text: 'scripted changes in a YAML file; needs no model',
  },
};

/** What to do for the way that was taken. */
function Explanation(): ReactElement | null {
  const way = useView(({model}) => model.way);
  const copy = useView(({model}) => keyFor(model, 'copy-way', 'ways'));
  if (!isExplained(way)) return null;
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Box flexShrink={0}>
        <HintedText hint={<KeyHint keys={copy} text="copy" action="copy-way" />}>
          <SafeText wrap="wrap">{explanations[way]}</SafeText>
        </HintedText>
      </Box>
      {wayLines[way].map((line) => (
        <Box key={line} flexShrink={0} paddingLeft={2}>
          <SafeText tone="string">{line}</SafeText>
        </Box>
      ))}
    </Box>
  );
}

const explanations: Readonly<Record<ExplainedWay, string>> = {
  install: 'Run one of these in a shell. This panel goes away when an agent is found:',
  declare: 'Write this into .orchestra/project.yaml, with the name and arguments of your program:',
};
