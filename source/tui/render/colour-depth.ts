/** How many colours a terminal shows. `none`: the person does not want any, or there are none. */
export type ColourDepth = 'full' | '256' | '16' | 'none';

/** What the environment says. no-color.org: any value but the empty one counts. */
export function colourDepthOf(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  const term = env['TERM'] ?? '';
  if (
    (env['NO_COLOR'] ?? '') !== '' ||
    term === 'dumb' ||
    term === '' ||
    term.endsWith('-m') ||
    term.startsWith('vt')
  )
    return 'none';
  if (
    /^(?:truecolor|24bit)$/.test(env['COLORTERM'] ?? '') ||
    /-direct$|^(?:xterm-)?(?:kitty|ghostty|alacritty|foot|wezterm)/.test(term)
  )
    return 'full';
  return term.includes('256') ? '256' : '16';
}
