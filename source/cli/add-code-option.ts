import type {Command} from 'commander';

/** Full names of the commands that decide, type or remove. */
const decidingCommands: ReadonlySet<string> = new Set([
  'plan approve',
  'plan reject',
  'plan comment',
  'plan edit',
  'plan again',
  'needs',
  'resume',
  'grant',
  'takeover',
  'handback',
  'reset',
  'accept',
  'branch',
  'discard',
  'gc',
  'start',
  'attach',
  'logs',
  'send',
]);

/**
 * Where the daemon cannot prove that the person sent a command, they repeat it with the code that
 * it showed them.
 */
export function addCodeOption(program: Command): void {
  for (const [name, command] of listCommands(program, '')) {
    if (decidingCommands.has(name))
      command.option(
        '--code <code>',
        'one-time code from `orchestra codes`, if it could not be proved that you sent the command',
      );
  }
}

function listCommands(command: Command, before: string): (readonly [string, Command])[] {
  return command.commands.flatMap((inner) => {
    const name = `${before}${inner.name()}`;
    return [[name, inner] as const, ...listCommands(inner, `${name} `)];
  });
}
