import {Box} from 'ink';
import type {ReactElement} from 'react';
import {formatCost, formatCount, formatTokens, pluralize} from '../../shared/index.ts';
import {useSigns, useSizeClass} from '../hooks/use-view.ts';
import {safeLine} from '../model/line.ts';
import type {SizeClass} from '../model/size-class.ts';
import type {Amount, CostView, TaskCost, TryCost} from '../select/cost-view.ts';
import {fillsFor} from '../theme/fills.ts';
import {FillLine, Gap} from './FillLine.tsx';
import {SafeText} from './SafeText.tsx';

/** One row for the plan and for each task, its tries behind each other, all on one scale. */
export function CostByTask({view}: {readonly view: CostView}): ReactElement {
  const {planning, tasks, lost} = view;
  const max = Math.max(1, ...[planning, ...tasks].map(sumTokens));
  return (
    <Box flexDirection="column" flexShrink={0} marginBottom={1}>
      <Box height={1} flexShrink={0} paddingX={1}>
        <Box flexGrow={1} flexShrink={1}>
          <SafeText bold>Where it went</SafeText>
        </Box>
        <Figures input="in" output="out" cost="cost" isHead />
      </Box>
      <Row title="planning" amount={planning} tries={[]} max={max} />
      {tasks.map((task) => (
        <Row
          key={task.number}
          number={task.number}
          title={task.title}
          amount={task}
          tries={task.tries}
          max={max}
        />
      ))}
      <Legend lost={lost} />
    </Box>
  );
}

function sumTokens({input, output}: Pick<Amount, 'input' | 'output'>): number {
  return input + output;
}

function Row({
  number,
  title,
  amount,
  tries,
  max,
}: {
  readonly number?: number;
  readonly title: string;
  readonly amount: Amount;
  readonly tries: TaskCost['tries'];
  readonly max: number;
}): ReactElement {
  const sizeClass = useSizeClass();
  const {input, output, cost} = amount;
  const hasTimes = sizeClass === 'medium' || sizeClass === 'wide' || sizeClass === 'huge';
  const times = tries.length < 2 ? '' : pluralize(tries.length, 'try', 'tries');
  const place = number === undefined ? '' : `${number} `;
  return (
    <Box
      height={1}
      flexShrink={0}
      paddingX={1}
      aria-label={safeLine(
        `${place}${title}: ${formatCount(input)} in, ${formatCount(output)} out, ${cost === undefined ? 'no price' : formatCost(cost)}${times === '' ? '' : `, ${times}`}.`,
      )}
    >
      <Box width={titleCells[sizeClass]} flexShrink={1} paddingRight={1} columnGap={1}>
        <Box width={2} flexShrink={0} justifyContent="flex-end">
          <SafeText tone="dim">{number === undefined ? '' : String(number)}</SafeText>
        </Box>
        <Box flexShrink={1}>
          <SafeText>{title}</SafeText>
        </Box>
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0} height={1}>
        <Bar amount={amount} tries={tries} />
        <Gap share={max - sumTokens(amount)} />
      </Box>
      {hasTimes ? (
        <Box width={9} flexShrink={0} paddingLeft={1}>
          <SafeText tone="faint">{times}</SafeText>
        </Box>
      ) : null}
      <Figures input={formatCount(input)} output={formatCount(output)} cost={formatCost(cost)} />
    </Box>
  );
}

const titleCells: Readonly<Record<SizeClass, number>> = {
  phone: 20,
  small: 24,
  narrow: 28,
  medium: 38,
  wide: 48,
  huge: 60,
};

/** Tries in their order; a failed one ends with its sign. */
function Bar({
  amount,
  tries,
}: {
  readonly amount: Amount;
  readonly tries: readonly TryCost[];
}): ReactElement {
  const {chart} = fillsFor(useSigns());
  const {sign} = chart.work;
  const inTries = tries.reduce((sum, one) => sum + sumTokens(one), 0);
  const rest = sumTokens(amount) - inTries;
  return (
    <>
      {tries
        .filter((one) => sumTokens(one) > 0)
        .map((one) =>
          one.isFailed ? (
            <Box key={one.number} flexGrow={sumTokens(one)} flexBasis={0} minWidth={1} height={1}>
              <FillLine fill={{sign, tone: 'bad'}} share={1} />
              <Box width={1} flexShrink={0}>
                <SafeText tone="bad" bold isHidden>
                  {chart.red.sign}
                </SafeText>
              </Box>
            </Box>
          ) : (
            <FillLine key={one.number} fill={chart.work} share={sumTokens(one)} minWidth={1} />
          ),
        )}
      {rest > 0 ? <FillLine fill={chart.work} share={rest} /> : null}
    </>
  );
}

function Figures({
  input,
  output,
  cost,
  isHead = false,
}: {
  readonly input: string;
  readonly output: string;
  readonly cost: string;
  readonly isHead?: boolean;
}): ReactElement {
  const tone = isHead ? 'faint' : 'text';
  return (
    <Box flexShrink={0}>
      {[
        {text: input, width: 9},
        {text: output, width: 9},
        {text: cost, width: 8},
      ].map(({text, width}, index) => (
        <Box key={index} width={width} flexShrink={0} justifyContent="flex-end">
          <SafeText tone={tone}>{text}</SafeText>
        </Box>
      ))}
    </Box>
  );
}

function Legend({lost}: {readonly lost: CostView['lost']}): ReactElement | null {
  const {chart} = fillsFor(useSigns());
  if (lost.tokens === 0) return null;
  return (
    <Box height={1} flexShrink={0} paddingLeft={4} columnGap={3}>
      <SafeText tone="dim">
        <SafeText tone="run" isHidden>{`${chart.work.sign} `}</SafeText>
        work
      </SafeText>
      <SafeText tone="dim">
        <SafeText tone="bad" isHidden>{`${chart.work.sign}${chart.red.sign} `}</SafeText>
        {`tries that failed: ${formatTokens(lost.tokens)}, ${Math.round(lost.share * 100)} %`}
      </SafeText>
    </Box>
  );
}
