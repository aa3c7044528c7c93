import type {TerminalColours} from '../../../source/app/theme/terminal-colours.ts';

type Known = TerminalColours & {readonly background: string};

/** What well-known terminals and schemes report: text, background, and the colours 0 to 7. */
export const terminals: Readonly<Record<string, Known>> = {
  'VS Code dark': colours('#cccccc #1e1e1e', [
    '#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5',
    '#666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #e5e5e5',
  ]),
  'VS Code light': colours('#3b3b3b #ffffff', [
    '#000000 #cd3131 #107c10 #949800 #0451a5 #bc05bc #0598bc #555555',
    '#666666 #cd3131 #14ce14 #b5ba00 #0451a5 #bc05bc #0598bc #a5a5a5',
  ]),
  'Windows Terminal': colours('#cccccc #0c0c0c', [
    '#0c0c0c #c50f1f #13a10e #c19c00 #0037da #881798 #3a96dd #cccccc',
    '#767676 #e74856 #16c60c #f9f1a5 #3b78ff #b4009e #61d6d6 #f2f2f2',
  ]),
  'macOS Terminal': colours('#000000 #ffffff', [
    '#000000 #990000 #00a600 #999900 #0000b2 #b200b2 #00a6b2 #bfbfbf',
    '#666666 #e50000 #00d900 #e5e500 #0000ff #e500e5 #00e5e5 #e5e5e5',
  ]),
  'GNOME Terminal': colours('#d0cfcc #171421', [
    '#171421 #c01c28 #26a269 #a2734c #12488b #a347ba #2aa1b3 #d0cfcc',
    '#5e5c64 #f66151 #33da7a #e9ad0c #2a7bde #c061cb #33c7de #ffffff',
  ]),
  'Solarized dark': colours('#839496 #002b36', [
    '#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5',
    '#002b36 #cb4b16 #586e75 #657b83 #839496 #6c71c4 #93a1a1 #fdf6e3',
  ]),
  'Solarized light': colours('#657b83 #fdf6e3', [
    '#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5',
    '#002b36 #cb4b16 #586e75 #657b83 #839496 #6c71c4 #93a1a1 #fdf6e3',
  ]),
  Gruvbox: colours('#ebdbb2 #282828', [
    '#282828 #cc241d #98971a #d79921 #458588 #b16286 #689d6a #a89984',
    '#928374 #fb4934 #b8bb26 #fabd2f #83a598 #d3869b #8ec07c #ebdbb2',
  ]),
  Nord: colours('#d8dee9 #2e3440', [
    '#3b4252 #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #88c0d0 #e5e9f0',
    '#4c566a #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #8fbcbb #eceff4',
  ]),
};

function colours(own: string, rows: readonly string[]): Known {
  const [foreground = '', background = ''] = own.split(' ');
  const palette = rows.flatMap((row) => row.split(' '));
  return {foreground, background, palette: Object.fromEntries(palette.entries())};
}
