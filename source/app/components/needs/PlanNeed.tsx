import {Box} from 'ink';
import type {ReactElement} from 'react';
import {type Need, selectRun} from '../../../domain/index.ts';
import {toNeedLabel} from '../../../reports/index.ts';
import {pluralize} from '../../../shared/index.ts';
import {useDaemonState, useSigns} from '../../hooks/use-view.ts';
import {maxProseColumns} from '../../model/line.ts';
import {formatRuleCounts, formatTaskCount} from '../../select/plan-texts.ts';
import {
  type PlanItem,
  type PlanTask,
  type PlanView,
  selectPlanView,
} from '../../select/plan-view.ts';
import type {Token} from '../../theme/tokens.ts';
import {SafeText} from '../SafeText.tsx';
import {NeedLead} from './NeedParts.tsx';

/** A plan in short: what will be done, why, and what proves it. */
export function PlanNeed({need}: {readonly need: Extract<Need, {kind: 'plan'}>}): ReactElement {
  const state = useDaemonState();
  const run = selectRun(state, need.run);
  const plan = run === undefined ? undefined : selectPlanView(state, run);
  const {text} = toNeedLabel(state, need);
  const isSpecial = need.red !== undefined || need.voided !== undefined;
  if (plan === undefined) return <NeedLead>{text}</NeedLead>;
  return (
    <>
      <PlanFacts plan={plan} />
      {isSpecial ? <NeedLead>{text}</NeedLead> : null}
      <PlanTasks plan={plan} />
      <PlanReasons plan={plan} />
    </>
  );
}

/** `6 tasks in 3 waves · 12 files, none twice · 2 checks, 7 rules · needs web` */
function PlanFacts({plan}: {readonly plan: PlanView}): ReactElement {
  const {separator} = useSigns();
  const {tasks, waves, fileCount, sharedFiles, proof, rules, services} = plan;
  const atOnce = sharedFiles.filter(({isAtOnce}) => isAtOnce).length;
  const shared = atOnce === 0 ? 'none twice' : `${atOnce} twice at once`;
  return (
    <Box flexShrink={0} paddingLeft={2} marginBottom={1}>
      <SafeText tone="dim" wrap="wrap">
        {`${formatTaskCount(tasks)} in ${pluralize(waves.length, 'wave')} ${separator} `}
        <SafeText tone={atOnce === 0 ? 'good' : 'warn'}>
          {`${pluralize(fileCount, 'file')}, ${shared}`}
        </SafeText>
        {` ${separator} ${pluralize(proof.length, 'check')}, ${pluralize(rules.length, 'rule')}`}
        {services.length === 0 ? '' : ` ${separator} needs ${services.join(', ')}`}
      </SafeText>
    </Box>
  );
}

function PlanTasks({plan: {tasks, waves}}: {readonly plan: PlanView}): ReactElement {
  const {isAscii} = useSigns();
  return (
    <Box flexDirection="column" flexShrink={0} marginBottom={1}>
      <Box justifyContent="space-between" height={1} columnGap={2}>
        <Box flexShrink={0}>
          <SafeText bold>Tasks</SafeText>
        </Box>
        <SafeText tone="accent">
          {waves.map((wave) => wave.join(' ')).join(isAscii ? ' > ' : ' → ')}
        </SafeText>
      </Box>
      {tasks.map((task) => (
        <TaskRow key={task.number} task={task} />
      ))}
    </Box>
  );
}

function TaskRow({task}: {readonly task: PlanTask}): ReactElement {
  const {sign} = useSigns();
  const {number, title, brief, files, after, services} = task;
  return (
    <Box flexShrink={0} columnGap={2}>
      <Box width={3} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="faint">{number}</SafeText>
      </Box>
      <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
        <Box columnGap={2}>
          <Box flexGrow={1} flexShrink={1} flexBasis={0}>
            <SafeText bold wrap="wrap">
              {title}
            </SafeText>
          </Box>
          {services.length === 0 ? null : (
            <Box flexShrink={0}>
              <SafeText tone="run">{`${sign.work} ${services.join(', ')}`}</SafeText>
            </Box>
          )}
          {after.length === 0 ? null : (
            <Box flexShrink={0}>
              <SafeText tone="dim">{`after ${after.join(', ')}`}</SafeText>
            </Box>
          )}
        </Box>
        {brief.map((item) => (
          <SafeText key={item.id} wrap="wrap">
            {item.text}
          </SafeText>
        ))}
        <SafeText tone="dim" wrap="wrap">
          {files.join('  ')}
        </SafeText>
      </Box>
    </Box>
  );
}

function PlanReasons({plan}: {readonly plan: PlanView}): ReactElement {
  const {sign} = useSigns();
  const {rules, proof, approves} = plan;
  return (
    <Box flexDirection="column" flexShrink={0} maxWidth={maxProseColumns}>
      <Reason name="problem" items={plan.problem} />
      <Reason name="cause" items={plan.rootCause} />
      <Reason name="assumes" items={plan.assumptions} />
      <Reason name="keeps" items={plan.invariants} />
      <Reason name="risks" items={plan.risks} tone="warn" />
      <Reason name="rejected" items={plan.rejected} />
      <ReasonRow
        name="checks"
        text={
          proof.length === 0
            ? 'No checks: nothing will prove that a task works.'
            : proof.map(({name, command}) => `${name} ${command}`).join('   ')
        }
      />
      <ReasonRow name="rules" text={formatRuleCounts(rules)} />
      {approves.isTreeUnchanged ? (
        <ReasonRow
          name="planner"
          text={`wrote nothing: tree ${(approves.tree ?? '').slice(0, 10)} before and after ${sign.passed}`}
          tone="good"
        />
      ) : null}
    </Box>
  );
}

function Reason({
  name,
  items,
  tone = 'text',
}: {
  readonly name: string;
  readonly items: readonly PlanItem[];
  readonly tone?: Token;
}): ReactElement | null {
  return items.length === 0 ? null : (
    <ReasonRow
      name={name}
      text={items
        .map(({text}) => text)
        .join(' ')
        .replaceAll(' Because: ', ': ')}
      tone={tone}
    />
  );
}

function ReasonRow({
  name,
  text,
  tone = 'text',
}: {
  readonly name: string;
  readonly text: string;
  readonly tone?: Token;
}): ReactElement {
  return (
    <Box columnGap={2} flexShrink={0}>
      <Box width={8} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="dim">{name}</SafeText>
      </Box>
      <Box flexShrink={1}>
        <SafeText tone={tone} wrap="wrap">
          {text}
        </SafeText>
      </Box>
    </Box>
  );
}
