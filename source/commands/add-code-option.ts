import type {Command} from 'commander';

/** The commands that decide, type or remove, by their whole names. */
const deciding: ReadonlySet<string> = new Set([
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

/** Where it cannot be proved that the person asks, they bring the code that was shown to them for this very command. */
export function addCodeOption(program: Command): void {
  for (const [name, command] of namedOf(program, '')) {
    if (deciding.has(name))
      command.option(
        '--code <code>',
        'the one-time code that the app shows for this command, when it cannot be proved that you ask',
      );
  }
}

function namedOf(command: Command, before: string): (readonly [string, Command])[] {
  return command.commands.flatMap((inner) => {
    const name = `${before}${inner.name()}`;
    return [[name, inner] as const, ...namedOf(inner, `${name} `)];
  });
}
