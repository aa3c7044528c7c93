import {detectColourDepth} from '../render/colour.ts';
import {resolveTheme, type ThemeSetting} from './resolve-theme.ts';
import type {TerminalColours} from './terminal-colours.ts';
import type {Theme} from './tokens.ts';

export type ThemeSelector = (setting: ThemeSetting, terminal: TerminalColours | undefined) => Theme;

/**
 * `resolveTheme` for one terminal. It returns the same object as long as nothing changed, so that
 * components are not drawn again.
 */
export function createThemeSelector(
  env: Readonly<Record<string, string | undefined>>,
): ThemeSelector {
  const depth = detectColourDepth(env);
  let last:
    | {
        readonly setting: ThemeSetting;
        readonly terminal: TerminalColours | undefined;
        readonly theme: Theme;
      }
    | undefined;
  return (setting, terminal) => {
    if (last?.setting !== setting || last.terminal !== terminal)
      last = {setting, terminal, theme: resolveTheme({setting, env, depth, terminal})};
    return last.theme;
  };
}
