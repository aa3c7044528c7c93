import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useDaemonState, useModel, useTheme, useView} from '../hooks/use-view.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {keyFor} from '../keymap/key-for.ts';
import {type Hint, selectHints} from '../keymap/select-hints.ts';
import {selectAgentLine} from '../select/agent-line.ts';
import {Frame} from './Frame.tsx';
import {KeyHint} from './KeyHint.tsx';
import {SafeText} from './SafeText.tsx';
import {TextInput} from './TextInput.tsx';

/** The objective in its frame, with who plans and who works. */
export function ObjectiveField(): ReactElement {
  const theme = useTheme();
  const isWriting = useView(({model}) => model.field?.for.what === 'objective');
  return (
    <Frame
      tone={isWriting ? 'accent' : 'border'}
      isHeavy={isWriting && theme.frames === 'heavy'}
      flexShrink={0}
      paddingX={1}
    >
      <Objective />
      <Box height={1} flexShrink={0} />
      <Agents isWriting={isWriting} />
      <Choices isWriting={isWriting} />
    </Frame>
  );
}

function Objective(): ReactElement {
  const field = useView(({model}) => model.field);
  const key = useView(({model}) => keyFor(model, 'write-objective', 'start'));
  // While the name of a model is written, the objective waits.
  if (field?.for.what === 'model')
    return <SafeText tone="dim">{field.for.objective.text}</SafeText>;
  return field?.for.what === 'objective' ? (
    <Box height={1} flexShrink={0}>
      <TextInput field={field} />
    </Box>
  ) : (
    <SafeText tone="dim">{`${key} writes what should be different`}</SafeText>
  );
}

/** `sage works and plans`, and the keys of the field. */
function Agents({isWriting}: {readonly isWriting: boolean}): ReactElement {
  const model = useModel();
  const state = useDaemonState();
  const {who, rest} = selectAgentLine(model, state);
  const hints = isWriting ? selectHints(model, state) : [];
  return (
    <Box flexShrink={0} columnGap={3} flexWrap="wrap">
      <Box flexGrow={1} flexShrink={1}>
        <SafeText wrap="wrap">
          <SafeText bold>{who}</SafeText>
          <SafeText tone="dim">{rest}</SafeText>
        </SafeText>
      </Box>
      {fieldActions.flatMap((action) => {
        const hint: Hint | undefined = hints.find((one) => one.action === action);
        return hint === undefined ? [] : [<KeyHint key={action} {...hint} />];
      })}
    </Box>
  );
}

const fieldActions: readonly ActionName[] = ['next-agent', 'submit', 'queue-objective', 'older'];

/** Models, planner and skill, where there is a choice, with the keys that choose. */
function Choices({isWriting}: {readonly isWriting: boolean}): ReactElement | null {
  const model = useModel();
  const state = useDaemonState();
  const {choices} = selectAgentLine(model, state);
  if (!isWriting || choices.length === 0) return null;
  return (
    <>
      {choices.map(({label, names, at, keys, why}) => (
        <Box key={label} flexShrink={0} flexWrap="wrap" columnGap={2}>
          <Box width={9} flexShrink={0}>
            <SafeText tone="dim">{label}</SafeText>
          </Box>
          <Box flexGrow={1} flexShrink={1}>
            <SafeText wrap={why === undefined ? 'truncate' : 'wrap'}>
              {names.map((name, index) => (
                <SafeText
                  key={name}
                  tone={index === at ? 'text' : 'dim'}
                  bold={index === at}
                  {...(index === at && {label: `${name}, chosen`})}
                >
                  {`${index === at ? '● ' : '○ '}${name}  `}
                </SafeText>
              ))}
              {why !== undefined && <SafeText tone="dim">{`(${why})`}</SafeText>}
            </SafeText>
          </Box>
          {keys.map(({action, text}) => (
            <KeyHint
              key={action}
              keys={keyFor(model, action, 'prompt')}
              text={text}
              action={action}
            />
          ))}
        </Box>
      ))}
    </>
  );
}
