import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {Frame} from '../../components/Frame.tsx';
import {SafeText} from '../../components/SafeText.tsx';
import {useView} from '../../hooks/use-view.ts';
import {planColumnCells, type ShownPlan} from '../../select/plan-screen.ts';
import type {PlanCheck, PlanRule, PlanView} from '../../select/plan-view.ts';
import {
  approvalText,
  approvedHash,
  formatCheckFacts,
  formatRuleCounts,
  formatTree,
  noChecksText,
  noRulesText,
} from '../../select/plan-texts.ts';
import {PlanHeading} from './PlanRow.tsx';

/** Beside the plan: what proves it, the rules, and what the approval is bound to. */
export const PlanColumn = memo(function PlanColumn({
  plan: {view, isWaiting},
}: {
  readonly plan: ShownPlan;
}): ReactElement {
  const width = useView(({size}) => planColumnCells(size));
  const {proof, rules} = view;
  return (
    <Box flexDirection="column" width={width} flexShrink={0} marginLeft={1}>
      <Frame
        flexShrink={0}
        paddingX={1}
        title={<SafeText bold>What proves it</SafeText>}
        state={
          <SafeText tone="dim">{`${proof.length} ${proof.length === 1 ? 'check' : 'checks'}`}</SafeText>
        }
      >
        {proof.map((check, index) => (
          <Box key={`${index} ${check.name}`} flexShrink={0}>
            <CheckRow number={index + 1} check={check} />
          </Box>
        ))}
        <Sentence text={proof.length === 0 ? noChecksText : whenText} isBad={proof.length === 0} />
      </Frame>
      <Frame
        flexShrink={0}
        paddingX={1}
        title={<SafeText bold>Rules</SafeText>}
        state={<SafeText tone="dim">the first wins</SafeText>}
      >
        {rules.map((rule, index) => (
          <Box key={`${index} ${rule.number}`} flexShrink={0}>
            <RuleRow rule={rule} />
          </Box>
        ))}
        <Sentence text={rules.length === 0 ? noRulesText : formatRuleCounts(rules)} />
      </Frame>
      <Frame
        flexShrink={0}
        paddingX={1}
        title={<SafeText bold>{toApprovesTitle(isWaiting)}</SafeText>}
      >
        <Hashes view={view} isWaiting={isWaiting} />
      </Frame>
    </Box>
  );
});

const whenText = 'after each task and each merge';

function Sentence({
  text,
  isBad = false,
}: {
  readonly text: string;
  readonly isBad?: boolean;
}): ReactElement {
  return (
    <Box flexShrink={0}>
      <SafeText tone={isBad ? 'bad' : 'dim'} wrap="wrap">
        {text}
      </SafeText>
    </Box>
  );
}

/** Below the plan, where there is no column. */
export function PlanApproves({
  view,
  isWaiting,
}: {
  readonly view: PlanView;
  readonly isWaiting: boolean;
}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {view.proof.length === 0 ? (
        <Box paddingX={1} paddingTop={1}>
          <Sentence text={noChecksText} isBad />
        </Box>
      ) : null}
      {view.rules.length === 0 ? (
        <Box paddingX={1} paddingTop={1}>
          <Sentence text={noRulesText} />
        </Box>
      ) : null}
      <PlanHeading text={toApprovesTitle(isWaiting)} />
      <Box flexDirection="column" paddingX={2}>
        <Hashes view={view} isWaiting={isWaiting} />
      </Box>
    </Box>
  );
}

function toApprovesTitle(isWaiting: boolean): string {
  return isWaiting ? 'What you approve' : 'What you approved';
}

function Hashes({
  view: {approves},
  isWaiting,
}: {
  readonly view: PlanView;
  readonly isWaiting: boolean;
}): ReactElement {
  const {plan, base, branch, rules} = approves;
  const tree = formatTree(approves);
  return (
    <>
      <Hash name="plan" hash={plan} />
      <Hash name="base" hash={base} more={branch} />
      <Hash name="rules" hash={rules} />
      <SafeText tone={tree.tone} wrap="wrap">
        {tree.text}
      </SafeText>
      {approves.modes === undefined ? null : (
        <SafeText wrap="wrap">{`${approves.modes}.`}</SafeText>
      )}
      {isWaiting ? (
        <SafeText tone="dim" wrap="wrap">
          {approvalText}
        </SafeText>
      ) : null}
    </>
  );
}

function Hash({
  name,
  hash,
  more = '',
}: {
  readonly name: string;
  readonly hash: string;
  readonly more?: string | undefined;
}): ReactElement {
  return (
    <SafeText wrap="wrap">
      <SafeText tone="dim">{name.padEnd(6)}</SafeText>
      {approvedHash(hash)}
      <SafeText tone="dim">{more === '' ? '' : `  ${more}`}</SafeText>
    </SafeText>
  );
}

/** A check, what the base says of it, and what was decided. */
export function CheckRow({
  number,
  check,
}: {
  readonly number: number;
  readonly check: PlanCheck;
}): ReactElement {
  return (
    <>
      <Box width={2} flexShrink={0}>
        <SafeText tone="faint">{String(number)}</SafeText>
      </Box>
      <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
        <SafeText wrap="wrap">
          <SafeText bold>{check.name}</SafeText>
          {` ${check.command}`}
        </SafeText>
        {formatCheckFacts(check).map(({text, tone}) => (
          <SafeText key={text} tone={tone} wrap="wrap">
            {text}
          </SafeText>
        ))}
      </Box>
    </>
  );
}

/** A rule and how it is enforced. */
export function RuleRow({
  rule: {number, text, directive, isEnforced},
}: {
  readonly rule: PlanRule;
}): ReactElement {
  return (
    <Box flexGrow={1} columnGap={1}>
      <Box minWidth={3} flexShrink={0}>
        <SafeText tone="faint">{number}</SafeText>
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0}>
        <SafeText wrap="wrap">{text}</SafeText>
      </Box>
      <Box flexShrink={0} paddingLeft={1}>
        <SafeText tone={isEnforced ? 'accent' : 'warn'}>{directive}</SafeText>
      </Box>
    </Box>
  );
}
