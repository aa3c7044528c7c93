import {insideAttacks} from '../../test/e2e/loop/support/inside-attacks.ts';
import {runInside} from '../../test/e2e/loop/support/run-inside.ts';
import {runAttack} from '../../test/e2e/loop/support/run-attack.ts';
import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import {type Attack, attacks} from '../../test/git/guard/attacks.ts';
import {tryNetworkAttacks} from './network-attacks.ts';
import {tryAttackTests} from './attack-tests.ts';
import type {Report} from './campaign/report.ts';

/** Runs every attack by an agent during a real run, without the sandbox and in it. */
export async function tryAttacks(_fixture: DaemonFixture, report: Report): Promise<void> {
  const harmful = attacks.filter(({by}) => by !== 'nobody');
  const open = await runAll(harmful, 'off');
  report(
    "an agent that attacks is named, and nothing of it reaches the person's branch",
    harmful.length,
    harmful.length - open.length,
    open.slice(0, 3).join('; '),
  );
  const harmless = attacks.filter(({by}) => by === 'nobody');
  const quiet = await runAll(harmless, 'off');
  report(
    'what only looks like an attack runs nothing in our hands',
    harmless.length,
    harmless.length - quiet.length,
    quiet.slice(0, 3).join('; '),
  );
  const confined = await runAll(attacks, 'required');
  report(
    "in the sandbox an attack changes nothing that is the person's",
    attacks.length,
    attacks.length - confined.length,
    confined.slice(0, 3).join('; '),
  );
  for (const by of ['agent', 'check', 'require'] as const) {
    const left = await runInside(by);
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

async function runAll(chosen: readonly Attack[], sandbox: 'off' | 'required'): Promise<string[]> {
  const problems: string[] = [];
  for (const attack of chosen) {
    await runAttack(attack, sandbox).catch((error: unknown) => {
      problems.push(
        `${attack.name}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
      );
    });
  }

  return problems;
}
