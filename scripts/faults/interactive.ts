import {
  type InteractiveRun,
  killConversations,
  killTargets,
} from '../../test/e2e/loop/support/kill-conversations.ts';
import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import {getTable} from '../bench/sessions/figures.ts';
import type {Report} from './campaign/report.ts';

/**
 * kill -9 of the daemon, a keeper or an agent, at random moments (many of them while a prompt is
 * typed) of runs whose workers are agents
 * in their own interface. ORCHESTRA_KILLS sets the number of kills, ORCHESTRA_KILLS_PER_RUN the
 * limit per run.
 */
export async function tryInteractive(_fixture: DaemonFixture, report: Report): Promise<void> {
  const readSetting = (name: string, usual: number): number => Number(process.env[name] ?? usual);
  const kills = readSetting('ORCHESTRA_KILLS', 300);
  const max = readSetting('ORCHESTRA_KILLS_PER_RUN', 15);
  const still = {kills: 0, chance: Math.random, pauseMs: 0};
  const usual = await killConversations(still);
  if (usual.broken.length > 0) throw new Error(usual.broken.join('\n'));
  const runs: InteractiveRun[] = [];
  for (let left = kills; left > 0;) {
    const run = await killConversations(
      {
        kills: Math.min(max, left),
        chance: Math.random,
        pauseMs: (usual.ms / max) * pauseShare,
      },
      usual,
    );
    runs.push(run);
    left -= countKills(run);
    process.stderr.write(
      `run ${runs.length}: ${countKills(run)} kills, ${left} left, ${Math.round(run.ms / 1000)} s${run.broken.map((text) => `\n  ${text}`).join('')}\n`,
    );
    if (countKills(run) === 0) throw new Error('a run went by without a kill');
  }

  process.stdout.write(`${resultTable(runs).join('\n')}\n`);
  const tried = runs.reduce((sum, run) => sum + countKills(run), 0);
  const whole = runs.filter(({broken}) => broken.length === 0);
  report(
    'a run of agents in their own interface types no prompt twice and loses none when its daemon, a keeper or an agent is killed',
    tried,
    whole.reduce((sum, run) => sum + countKills(run), 0),
    `${runs.length} runs, ${whole.length} of them whole`,
  );
}

/** Pauses are squares of random numbers, so the mean pause is a third of this share. */
const pauseShare = 2;

function countKills({killed}: InteractiveRun): number {
  return killTargets.reduce((sum, target) => sum + killed[target], 0);
}

function resultTable(runs: readonly InteractiveRun[]): readonly string[] {
  const sum = (of: (run: InteractiveRun) => number): string =>
    String(runs.reduce((total, run) => total + of(run), 0));
  return getTable(
    ['what came of it', 'count'],
    [
      ['runs', String(runs.length)],
      ...killTargets.map((target) => [`kills: ${target}`, sum(({killed}) => killed[target])]),
      ['prompts that reached an agent', sum(({prompts}) => prompts)],
      ['attempts', sum(({attempts}) => attempts)],
      ['sessions', sum(({sessions}) => sessions)],
      ['uncertain, and had arrived', sum(({answers}) => answers.arrived)],
      ['uncertain, and only Enter was missing', sum(({answers}) => answers.entered)],
      ['uncertain, and sent again by the person', sum(({answers}) => answers.sent)],
      ['stopped, and granted one more attempt', sum(({answers}) => answers.granted)],
      ['runs in which something was broken', sum(({broken}) => (broken.length > 0 ? 1 : 0))],
    ],
  );
}
