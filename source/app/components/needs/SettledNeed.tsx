import {Box} from 'ink';
import type {ReactElement} from 'react';
import {type Need, selectNeeds} from '../../../domain/index.ts';
import {subjectOfNeed} from '../../../reports/index.ts';
import {useDaemonState, useSigns, useView} from '../../hooks/use-view.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {maxProseColumns} from '../../model/line.ts';
import {describeNeedShort} from '../../select/need-view.ts';
import {SafeText} from '../SafeText.tsx';

/** A need that somebody else settled. It stays until the person goes on. */
export function SettledNeed({need}: {readonly need: Need}): ReactElement {
  const state = useDaemonState();
  const {sign} = useSigns();
  const needs = selectNeeds(state);
  const next = useView(({model}) => keyFor(model, 'next-need', 'need-settled'));
  const back = useView(({model}) => keyFor(model, 'back', 'need-last'));
  // The subject may have another need, for example because a decision failed.
  const again = needs.find((other) => subjectOfNeed(other) === subjectOfNeed(need));
  return (
    <Box flexDirection="column" flexShrink={0} rowGap={1} maxWidth={maxProseColumns}>
      <SafeText tone="dim" wrap="wrap">
        {describeNeedShort(need, state)}
      </SafeText>
      {again === undefined ? (
        <SafeText tone="good">{`${sign.passed} Settled by itself.`}</SafeText>
      ) : (
        <Box flexDirection="column">
          <SafeText tone="warn">{`${sign.needs} This is over, but it needs you again:`}</SafeText>
          <SafeText bold wrap="wrap">
            {describeNeedShort(again, state)}
          </SafeText>
        </Box>
      )}
      <SafeText wrap="wrap">
        {needs.length === 0 ? `Nothing else needs you. ${back} leads back.` : `${next} next need`}
      </SafeText>
    </Box>
  );
}

/** Nothing waits for the person. */
export function NothingNeedsYou(): ReactElement {
  const key = useView(({model}) => keyFor(model, 'next-need', 'command'));
  return (
    <Box flexDirection="column" paddingX={1} paddingY={1} rowGap={1} maxWidth={maxProseColumns}>
      <SafeText tone="good">Nothing needs you.</SafeText>
      <SafeText wrap="wrap">
        {`Agents go on by themselves. What needs you is named in the second row, and ${key} leads to it.`}
      </SafeText>
    </Box>
  );
}
