import {insideAttacks} from '../../test/daemon/loop/support/inside-attacks.ts';
import {playInside} from '../../test/daemon/loop/support/play-inside.ts';
import {playAttack} from '../../test/daemon/loop/support/play-attack.ts';
import type {Place} from '../../test/daemon/support/place.ts';
import {attacks, type Attack} from '../../test/workspace/guard/attacks.ts';
import {tryNetworkAttacks} from './network-attacks.ts';
import {tryAttackTests} from './attack-tests.ts';
import type {Report} from './campaign/report.ts';

/** Every attack by an agent in the middle of a real run, without the sandbox and in it. */
export async function tryAttacks(_place: Place, report: Report): Promise<void> {
  const harmful = attacks.filter(({by}) => by !== 'nobody');
  const open = await playAll(harmful, 'off');
  report(
    "an agent that attacks is named, and nothing of it reaches the person's branch",
    harmful.length,
    harmful.length - open.length,
    open.slice(0, 3).join('; '),
  );
  const harmless = attacks.filter(({by}) => by === 'nobody');
  const quiet = await playAll(harmless, 'off');
  report(
    'what only looks like an attack runs nothing in our hands',
    harmless.length,
    harmless.length - quiet.length,
    quiet.slice(0, 3).join('; '),
  );
  const confined = await playAll(attacks, 'required');
  report(
    "in the sandbox an attack changes nothing that is the person's",
    attacks.length,
    attacks.length - confined.length,
    confined.slice(0, 3).join('; '),
  );
  for (const by of ['agent', 'check', 'require'] as const) {
    const left = await playInside(by);
    report(
      `from inside of the sandbox, ${who[by]} leaves nothing that anybody else believes or runs`,
      insideAttacks.length,
      insideAttacks.length - left.length,
      left.slice(0, 3).join('; '),
    );
  }

  await tryNetworkAttacks(report);
  await tryAttackTests(report);
}

const who = {
  agent: 'an agent',
  check: 'what an agent wrote, run by a check,',
  require: 'what an agent wrote, run by a rule that requires a command,',
} as const;

async function playAll(chosen: readonly Attack[], sandbox: 'off' | 'required'): Promise<string[]> {
  const problems: string[] = [];
  for (const attack of chosen) {
    await playAttack(attack, sandbox).catch((error: unknown) => {
      problems.push(
        `${attack.name}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
      );
    });
  }

  return problems;
}
