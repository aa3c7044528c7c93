import {fingerprint} from '../../test/e2e/loop/support/fingerprint.ts';
import {openStage} from '../../test/e2e/loop/support/loop-fixture.ts';
import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import type {Report} from './campaign/report.ts';

/**
 * Planners by what they change: nothing; their own worktree; the person's checkout, config, hooks
 * and branches.
 */
const planners: Readonly<Record<string, string>> = {
  'that only plans': '',
  'that writes into its worktree': 'echo x > evil.txt; rm -f base.txt',
  'that writes everywhere':
    'for d in "$REPOSITORY" "$HOME"; do echo x > "$d/evil.txt"; done; git -C "$REPOSITORY" config alias.x y; echo x > "$REPOSITORY/.git/hooks/post-commit"; git -C "$REPOSITORY" branch evil; git -C "$REPOSITORY" commit -q --allow-empty -m x',
};

/**
 * Nothing changes before approval: working tree, index, branches, config and hooks are hashed
 * before and after. ORCHESTRA_RUNS sets the number of runs.
 */
export async function tryUntouched(_fixture: DaemonFixture, report: Report): Promise<void> {
  const each = Math.ceil(
    Number(process.env['ORCHESTRA_RUNS'] ?? 200) / (Object.keys(planners).length * 2 - 1),
  );
  for (const sandbox of ['required', 'off'] as const) {
    for (const [name, script] of Object.entries(planners)) {
      // Without a sandbox a planner can write whatever the person can; the attacks campaign checks
      // that it is detected.
      if (sandbox === 'off' && name === 'that writes everywhere') continue;
      const {held, plans} = await tryPlanner(script, sandbox, each);
      report(
        `nothing is changed before approval by a planner ${name}, sandbox ${sandbox}`,
        each,
        held,
        `${plans} of its plans came to be read`,
      );
    }
  }
}

async function tryPlanner(
  script: string,
  sandbox: 'required' | 'off',
  times: number,
): Promise<{readonly held: number; readonly plans: number}> {
  const fixture = openStage({project: `sandbox: ${sandbox}\nlimits:\n  runs: 16\n`});
  let [held, plans] = [0, 0];
  try {
    fixture.act(
      'plan',
      `REPOSITORY='${fixture.root}'\n${script}\nprintf '\`\`\`json\\n'; cat "$HOME/plan.json"; printf '\\n\`\`\`\\n'\n`,
    );
    const before = fingerprint(fixture);
    for (let count = 0; count < times; count++) {
      const {code} = await fixture.objective();
      const state = await fixture.state();
      const run = state.runs.pages.flat().at(-1);
      if (run?.stage.at === 'reviewing') plans += 1;
      if (code === 3 && fingerprint(fixture) === before) held += 1;
      if (run !== undefined) fixture.run('discard', run.id);
    }
  } finally {
    await fixture.close();
  }

  return {held, plans};
}
