import type {TestContext} from 'node:test';
import {attacks} from '../../test/network/attacks.ts';
import {openTarget, runAttack} from '../../test/network/run-attack.ts';
import {people} from '../../test/sandbox/support/people.ts';
import type {Report} from './campaign/report.ts';

/** Tries every way out of a restricted network, as each user that this machine has. */
export async function tryNetworkAttacks(report: Report): Promise<void> {
  for (const person of people) {
    const problems: string[] = [];
    for (const under of ['none', 'allow'] as const) {
      const endings: (() => unknown)[] = [];
      const context = {
        after: (end: () => unknown) => {
          endings.unshift(end);
        },
      } as unknown as TestContext;
      try {
        const target = await openTarget(context, person, under);
        for (const attack of attacks.filter((one) => one.under === under)) {
          await runAttack(attack, target).catch((error: unknown) => {
            problems.push(
              `${attack.name}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
            );
          });
        }
      } finally {
        for (const end of endings) await end();
      }
    }

    report(
      `as ${person.name}, no way out of a restricted network reaches anything`,
      attacks.length,
      attacks.length - problems.length,
      problems.slice(0, 3).join('; '),
    );
  }
}
