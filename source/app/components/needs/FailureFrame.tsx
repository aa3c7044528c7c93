import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {type Need, runIdIn, selectRun} from '../../../domain/index.ts';
import {describeStop, type FailureView} from '../../../reports/index.ts';
import {formatDirective} from '../../../rules/index.ts';
import {useDaemonState, useSizeClass} from '../../hooks/use-view.ts';
import {hasInbox} from '../../select/need-ways.ts';
import {SafeText} from '../SafeText.tsx';
import {NeedFrame} from './NeedFrame.tsx';

type Stopped = Extract<Need, {kind: 'stopped'}>;

/** What failed: which check, which test, where, expected and got; or its first lines as they are. */
export function FailureFrame({
  failure,
  need,
}: {
  readonly failure: FailureView;
  readonly need: Stopped;
}): ReactElement {
  const isNarrow = !hasInbox(useSizeClass());
  const {title, place, test, rule, paths, lines} = failure;
  const isShownInLines = lines.length > 0 || rule !== undefined || paths.length > 0;
  const shown = lines.slice(0, isNarrow ? 8 : 14);
  return (
    <Box flexDirection="column" flexShrink={0} marginBottom={1}>
      <NeedFrame
        tone="bad"
        title={
          <SafeText tone="bad" bold>
            {title}
          </SafeText>
        }
        {...(place !== undefined && {state: <SafeText tone="dim">{place}</SafeText>})}
      >
        {test === undefined ? null : (
          <SafeText bold wrap="wrap">
            {test}
          </SafeText>
        )}
        <Comparison failure={failure} />
        {need.why.kind === 'check' || isShownInLines ? null : (
          <SafeText wrap="wrap">{describeStop(need.why)}</SafeText>
        )}
        <BrokenRule need={need} rule={rule} />
        {paths.map((path) => (
          <SafeText key={path} wrap="wrap" bold>
            {path}
          </SafeText>
        ))}
        {shown.map((line, index) => (
          <SafeText key={index} wrap="wrap" tone={toneOfLine(failure, line)}>
            {line}
          </SafeText>
        ))}
        {shown.length < lines.length ? (
          <SafeText tone="faint">{`${lines.length - shown.length} more lines`}</SafeText>
        ) : null}
        <Reading failure={failure} />
      </NeedFrame>
    </Box>
  );
}

/** How sure the failure is, and where it was read; nothing for journals that do not say. */
function Reading({
  failure: {confidence, source},
}: {
  readonly failure: FailureView;
}): ReactElement | null {
  const parts = [confidence, source].filter((part) => part !== undefined);
  return parts.length === 0 ? null : (
    <SafeText tone="faint" wrap="wrap">
      {parts.join('; ')}
    </SafeText>
  );
}

/** The two sides of a conflict stand out from the lines that mark them. */
function toneOfLine({kind}: FailureView, line: string): 'bad' | 'dim' | 'text' {
  if (kind !== 'conflict') return kind === 'check' ? 'text' : 'bad';
  return /^(?:<{7}|={7}|>{7})/.test(line) ? 'dim' : 'text';
}

function Comparison({
  failure: {expected, got, firstGot},
}: {
  readonly failure: FailureView;
}): ReactElement | null {
  if (expected === undefined || got === undefined) return null;
  return (
    <Box flexDirection="column" flexShrink={0} marginY={1} paddingLeft={2}>
      <ComparisonRow name="expected">
        <SafeText tone="good" bold wrap="wrap">
          {expected}
        </SafeText>
      </ComparisonRow>
      <ComparisonRow name="got">
        <SafeText tone="bad" bold wrap="wrap">
          {got}
        </SafeText>
        {firstGot === undefined ? null : (
          <Box marginLeft={6} flexShrink={1}>
            <SafeText tone="dim">{`first try: ${firstGot}`}</SafeText>
          </Box>
        )}
      </ComparisonRow>
    </Box>
  );
}

function ComparisonRow({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Box flexShrink={0}>
      <Box width={10} flexShrink={0}>
        <SafeText tone="dim">{name}</SafeText>
      </Box>
      {children}
    </Box>
  );
}

/** The words of the rule, and how it is enforced. */
function BrokenRule({
  need,
  rule,
}: {
  readonly need: Stopped;
  readonly rule: FailureView['rule'];
}): ReactElement | null {
  const stage = selectRun(useDaemonState(), runIdIn(need.task))?.stage;
  if (rule === undefined) return null;
  const directive =
    stage !== undefined && 'ground' in stage
      ? stage.ground.rules.rules.find(({number}) => number === rule.number)?.tooth
      : undefined;
  return (
    <SafeText bold wrap="wrap">
      {`${rule.number} ${rule.text}`}
      <SafeText tone="dim">
        {directive === undefined ? '' : `  ${formatDirective(directive)}`}
      </SafeText>
    </SafeText>
  );
}
