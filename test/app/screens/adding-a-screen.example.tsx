import {Box} from 'ink';
import type {ReactElement} from 'react';
import {selectLiveSessions} from '../../../source/domain/index.ts';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {SelectRow} from '../../../source/app/components/SelectRow.tsx';
import {useDaemonState, useView} from '../../../source/app/hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../../../source/app/ink/regions.tsx';

/** The sessions that live now. */
export function SessionsScreen(): ReactElement {
  const sessions = selectLiveSessions(useDaemonState());
  const cursor = useView(({model}) => Math.min(sessions.length - 1, model.places.services.cursor));
  return (
    <Box flexDirection="column" flexGrow={1} paddingX={1}>
      <SafeText bold>{`Sessions  ${sessions.length}`}</SafeText>
      <Scroll list="services">
        {sessions.map(({id, purpose}, index) => (
          <Item key={id} id={id} isCursor={index === cursor}>
            <Clickable target={{type: 'item', list: 'services', index}}>
              <SelectRow isSelected={index === cursor}>
                <SafeText>
                  {id}
                  <SafeText tone="dim">{`  ${purpose.for}`}</SafeText>
                </SafeText>
              </SelectRow>
            </Clickable>
          </Item>
        ))}
      </Scroll>
    </Box>
  );
}
