import {Box} from 'ink';
import type {ComponentType, ReactElement} from 'react';
import {AttentionRow} from './components/AttentionRow.tsx';
import {Header} from './components/Header.tsx';
import {KeyBar} from './components/KeyBar.tsx';
import {Overlay} from './components/Overlay.tsx';
import {Toast} from './components/Toast.tsx';
import {useSize, useView} from './hooks/use-view.ts';
import type {ScreenName} from './model/model.ts';
import {hasAttentionRow} from './model/size-class.ts';
import {HelpScreen} from './screens/HelpScreen.tsx';
import {KeysScreen} from './screens/KeysScreen.tsx';
import {NeedsScreen} from './screens/NeedsScreen.tsx';
import {NotesScreen} from './screens/NotesScreen.tsx';
import {ServicesScreen} from './screens/ServicesScreen.tsx';
import {SettingsScreen} from './screens/SettingsScreen.tsx';
import {StartScreen} from './screens/StartScreen.tsx';
import {ReviewScreen} from './screens/ReviewScreen.tsx';
import {PlanScreen} from './screens/PlanScreen.tsx';
import {AcceptedScreen} from './screens/AcceptedScreen.tsx';
import {BriefScreen} from './screens/BriefScreen.tsx';
import {CostScreen} from './screens/CostScreen.tsx';
import {TimelineScreen} from './screens/TimelineScreen.tsx';
import {VariantsScreen} from './screens/VariantsScreen.tsx';
import {WorkScreen} from './screens/WorkScreen.tsx';

/** The whole screen: three fixed rows, the current screen between them, and what lies over it. */
export function App(): ReactElement {
  const size = useSize();
  const screen = useView(({model}) => model.screen);
  const Screen = screens[screen];
  return (
    <Box width={size.columns} height={size.rows} flexDirection="column" overflow="hidden">
      <Header />
      {hasAttentionRow(size) ? <AttentionRow /> : null}
      <Screen />
      <KeyBar />
      <Overlay />
      <Toast />
    </Box>
  );
}

/** One line for each screen. */
const screens: Readonly<Record<ScreenName, ComponentType>> = {
  start: StartScreen,
  workers: WorkScreen,
  brief: BriefScreen,
  plan: PlanScreen,
  needs: NeedsScreen,
  review: ReviewScreen,
  variants: VariantsScreen,
  services: ServicesScreen,
  timeline: TimelineScreen,
  audit: CostScreen,
  accepted: AcceptedScreen,
  knowledge: NotesScreen,
  help: HelpScreen,
  settings: SettingsScreen,
  keys: KeysScreen,
};
