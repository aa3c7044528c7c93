import {Box} from 'ink';
import type {ReactElement} from 'react';
import {formatVariantChange, formatVariantChecks} from '../../reports/index.ts';
import {formatCost, formatShortDuration, formatTokens} from '../../shared/index.ts';
import {HintToast} from '../components/HintToast.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {ScreenTitle} from '../components/ScreenTitle.tsx';
import {SelectRow} from '../components/SelectRow.tsx';
import {TaskSign, toneOfSign} from '../components/TaskSign.tsx';
import {DecisionBar} from '../components/needs/DecisionBar.tsx';
import {useDaemonState, useNow, useSizeClass, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {hasInbox} from '../select/need-ways.ts';
import {selectVariantWays} from '../select/variant-ways.ts';
import {selectVariantsView, type ShownVariant, type VariantsView} from '../select/variants-view.ts';

/** The variants of a task side by side: what each proves, its change, its cost; and which to pick. */
export function VariantsScreen(): ReactElement {
  const compared = useView(({model}) => model.compared);
  const place = useView(({model}) => model.places.variants.cursor);
  const state = useDaemonState();
  const now = useNow();
  const view = selectVariantsView(compared, state, now);
  if (view === undefined) return <NoVariants />;
  const {variants, title} = view;
  const cursor = Math.max(0, Math.min(variants.length - 1, place));
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
      <ScreenTitle title="Variants" about={title}>
        <SafeText tone={view.isUndecided ? 'warn' : 'dim'}>{formatOutcome(view)}</SafeText>
      </ScreenTitle>
      <Scroll list="variants">
        {variants.map((variant, index) => (
          <Item key={variant.task} id={variant.task} isCursor={index === cursor} marginBottom={1}>
            <Clickable target={{type: 'item', list: 'variants', index}} flexDirection="column">
              <VariantRow
                variant={variant}
                isMarked={index === cursor}
                isPicked={variant.task === view.picked}
              />
            </Clickable>
          </Item>
        ))}
      </Scroll>
      <HintToast />
      <Ways />
    </Box>
  );
}

/** What can be done with the marked variant. */
function Ways(): ReactElement {
  const compared = useView(({model}) => model.compared);
  const places = useView(({model}) => model.places);
  const keymap = useView(({model}) => model.keymap);
  const state = useDaemonState();
  return <DecisionBar {...selectVariantWays({compared, places, keymap}, state)} />;
}

function NoVariants(): ReactElement {
  const key = useView(({model}) => keyFor(model, 'more-variants', 'plan'));
  return (
    <Box flexGrow={1} paddingX={2} paddingTop={1}>
      <SafeText tone="dim" wrap="wrap">
        {`No task here has variants. On a plan that waits for you, ${key} adds one: another agent does the same task, too, and you pick one of them.`}
      </SafeText>
    </Box>
  );
}

/** `2 of 3 green, pick one`; after the pick which one it was. */
function formatOutcome({variants, picked, isUndecided}: VariantsView): string {
  if (picked !== undefined)
    return `task ${variants.find(({task}) => task === picked)?.number ?? picked} is picked`;
  const green = variants.filter(({stage}) => stage === 'validated').length;
  return isUndecided ? `${green} of ${variants.length} green` : 'nothing to pick';
}

function VariantRow({
  variant,
  isMarked,
  isPicked,
}: {
  readonly variant: ShownVariant;
  readonly isMarked: boolean;
  readonly isPicked: boolean;
}): ReactElement {
  const isWide = hasInbox(useSizeClass());
  const {number, agent, model, label, change} = variant;
  const hasPaths = change !== null && change.paths.length > 0;
  const facts = [
    `checks ${formatVariantChecks(variant)}`,
    formatVariantChange(variant),
    `${formatTokens(variant.tokens)} tokens`,
    variant.cost === undefined ? 'cost unknown' : formatCost(variant.cost),
    variant.ms === null ? '' : formatShortDuration(variant.ms),
  ].filter((fact) => fact !== '' && fact !== '–');
  return (
    <SelectRow isSelected={isMarked} rows={hasPaths ? 3 : 2} paddingRight={1}>
      <Box width={4} flexShrink={0} columnGap={1} paddingLeft={1}>
        <TaskSign sign={label.sign} />
      </Box>
      <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
        <Box columnGap={2} flexWrap={isWide ? 'nowrap' : 'wrap'}>
          <Box flexShrink={0}>
            <SafeText bold={isMarked || isPicked}>
              {`${number} ${agent}${model === undefined ? '' : ` with ${model}`}`}
            </SafeText>
          </Box>
          <Box flexGrow={1} flexShrink={1}>
            <SafeText tone={toneOfSign(label.sign)}>
              {isPicked ? `${label.text}, your pick` : label.text}
            </SafeText>
          </Box>
        </Box>
        <Box columnGap={3} flexWrap="wrap">
          {facts.map((fact) => (
            <SafeText key={fact} tone="dim">
              {fact}
            </SafeText>
          ))}
        </Box>
        {hasPaths ? <SafeText tone="faint">{change.paths.join('  ')}</SafeText> : null}
      </Box>
    </SelectRow>
  );
}
