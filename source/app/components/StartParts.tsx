import {Box} from 'ink';
import type {ReactElement} from 'react';
import {type Run, selectRuns} from '../../domain/index.ts';
import {formatCost} from '../../shared/index.ts';
import {
  useDaemonState,
  useModel,
  useNow,
  useSigns,
  useSizeClass,
  useView,
} from '../hooks/use-view.ts';
import {keyFor} from '../keymap/key-for.ts';
import {formatAgo, plural} from '../model/line.ts';
import {type RepositoryFact, selectRepositoryFacts} from '../select/repository-facts.ts';
import {selectRunProgress} from '../select/run-progress.ts';
import type {SignName} from '../theme/signs.ts';
import type {Token} from '../theme/tokens.ts';
import {ClampedText} from './ClampedText.tsx';
import {HintedText} from './HintedText.tsx';
import {KeyHint} from './KeyHint.tsx';
import {SafeText} from './SafeText.tsx';

/** Who acts when. It is gone once three objectives were accepted here. */
export function HowItGoes(): ReactElement {
  const sizeClass = useSizeClass();
  const isNarrow = sizeClass === 'phone' || sizeClass === 'small';
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <SafeText tone="dim" bold>
        How it goes
      </SafeText>
      <Box flexShrink={0} columnGap={2} flexDirection={isNarrow ? 'column' : 'row'}>
        {steps.map(({who, text, tone}, index) => (
          <Box
            key={index}
            flexDirection="column"
            flexShrink={1}
            {...(!isNarrow && {flexGrow: 1, flexBasis: 0})}
          >
            <SafeText>
              <SafeText tone="faint">{`${index + 1} `}</SafeText>
              <SafeText tone={tone} bold>
                {who}
              </SafeText>
            </SafeText>
            <Box paddingLeft={2}>
              <SafeText tone="dim" wrap="wrap">
                {text}
              </SafeText>
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const steps: readonly {readonly who: string; readonly text: string; readonly tone: Token}[] = [
  {who: 'you', text: 'say what should change', tone: 'warn'},
  {who: 'a planner', text: 'reads, writes nothing', tone: 'run'},
  {who: 'you', text: 'approve the plan', tone: 'warn'},
  {who: 'workers', text: 'change and check it', tone: 'run'},
  {who: 'you', text: 'accept into your branch', tone: 'warn'},
];

/** What a run would use, a line each, and what is to be known about the repository. */
export function RepositoryFacts(): ReactElement {
  const model = useModel();
  const state = useDaemonState();
  const notes = model.answers.repository ?? [];
  const {sign} = useSigns();
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <SafeText tone="dim" bold>
        This repository
      </SafeText>
      {selectRepositoryFacts(model, state).map((fact) => (
        <FactRow key={`${fact.name} ${fact.text}`} fact={fact} />
      ))}
      {notes.slice(0, maxNotes).map((note, index) => (
        <Box key={index} flexShrink={0}>
          <Box width={2} flexShrink={0}>
            <SafeText tone="warn" bold>
              {sign.needs}
            </SafeText>
          </Box>
          <ClampedText rows={3}>{note.slice(0, maxNoteCharacters)}</ClampedText>
        </Box>
      ))}
      {notes.length > maxNotes ? (
        <SafeText tone="warn" wrap="wrap">
          {`and more: ${plural(notes.length, 'note', 'notes')} about the repository; the plan has all of them`}
        </SafeText>
      ) : null}
    </Box>
  );
}

/** The plan has all of them, and whole. */
const maxNotes = 3;
const maxNoteCharacters = 400;

function FactRow({fact: {name, state, text, way}}: {readonly fact: RepositoryFact}): ReactElement {
  const {sign} = useSigns();
  const key = useView(({model}) => {
    if (way === undefined) return '';
    const own = keyFor(model, way.action);
    // While the objective is written, its letters are text.
    return model.field === undefined ? own : `${keyFor(model, 'leave-field', 'prompt')} ${own}`;
  });
  const [mark, tone] = factSigns[state];
  return (
    <Box flexShrink={0}>
      <Box width={12} flexShrink={0}>
        <SafeText>
          <SafeText tone={tone} label={factLabels[state]}>
            {`${mark === '!' ? '!' : sign[mark]} `}
          </SafeText>
          <SafeText tone="dim">{name}</SafeText>
        </SafeText>
      </Box>
      <HintedText
        hint={
          way === undefined ? undefined : <KeyHint keys={key} text={way.text} action={way.action} />
        }
      >
        <SafeText tone={state === 'problem' ? 'warn' : 'text'} wrap="wrap">
          {text}
        </SafeText>
      </HintedText>
    </Box>
  );
}

const factSigns: Readonly<Record<RepositoryFact['state'], readonly [SignName | '!', Token]>> = {
  good: ['passed', 'good'],
  none: ['wait', 'faint'],
  problem: ['!', 'warn'],
};

const factLabels: Readonly<Record<RepositoryFact['state'], string>> = {
  good: '',
  none: 'not there: ',
  problem: 'problem: ',
};

/** The last runs that ended, and what they cost. */
export function Lately(): ReactElement | null {
  const state = useDaemonState();
  const now = useNow();
  const {sign} = useSigns();
  const ended = selectRuns(state)
    .filter(({stage}) => stage.at === 'accepted' || stage.at === 'discarded')
    .slice(-maxRuns)
    .toReversed();
  if (ended.length === 0) return null;
  const describe = (run: Run): string => {
    const {merged, cost} = selectRunProgress(state, run);
    const parts = [
      `${run.stage.at}, asked ${formatAgo(now - run.createdAt)}`,
      plural(merged, 'task', 'tasks'),
      ...(cost === undefined ? [] : [formatCost(cost)]),
    ];
    return parts.join(', ');
  };

  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <SafeText tone="dim" bold>
        Lately
      </SafeText>
      {ended.map((run) => (
        <Box key={run.id} height={1} flexShrink={0} columnGap={2}>
          <Box flexGrow={1} flexShrink={1}>
            <SafeText>
              <SafeText tone={run.stage.at === 'accepted' ? 'good' : 'faint'} isHidden>
                {`${run.stage.at === 'accepted' ? sign.passed : sign.discarded} `}
              </SafeText>
              {run.request.objective}
            </SafeText>
          </Box>
          <Box flexShrink={0}>
            <SafeText tone="dim">{describe(run)}</SafeText>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const maxRuns = 3;

/** Objectives that were written before; the arrows take their words. */
export function EarlierObjectives(): ReactElement | null {
  const objectives = useView(({model}) => model.objectives);
  const chosen = useView(({model}) => model.field?.older);
  const key = useView(({model}) => keyFor(model, 'older', 'prompt'));
  const {sign} = useSigns();
  if (objectives.length === 0) return null;
  const recent = objectives
    .map((text, index) => ({text, index}))
    .slice(-4)
    .toReversed();
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <SafeText tone="dim">{`Earlier, with ${key}`}</SafeText>
      {recent.map(({text, index}) => (
        <Box key={index} height={1} flexShrink={0}>
          <SafeText tone={index === chosen ? 'text' : 'dim'}>
            <SafeText tone="accent">{index === chosen ? `${sign.option} ` : '  '}</SafeText>
            {text}
          </SafeText>
        </Box>
      ))}
    </Box>
  );
}
