import {fingerprint} from '../../test/daemon/loop/support/fingerprint.ts';
import {openStage} from '../../test/daemon/loop/support/stage.ts';
import type {Place} from '../../test/daemon/support/place.ts';
import type {Report} from './campaign/report.ts';

/** Planners, and what they try: nothing; the worktree that they stand in; the person's own checkout, config, hooks and branches. */
const planners: Readonly<Record<string, string>> = {
  'that only plans': '',
  'that writes into its worktree': 'echo x > evil.txt; rm -f base.txt',
  'that writes everywhere':
    'for d in "$REPOSITORY" "$HOME"; do echo x > "$d/evil.txt"; done; git -C "$REPOSITORY" config alias.x y; echo x > "$REPOSITORY/.git/hooks/post-commit"; git -C "$REPOSITORY" branch evil; git -C "$REPOSITORY" commit -q --allow-empty -m x',
};

/** Before approval nothing is changed: working tree, index, branches, config, hooks, hashed before and after. ORCHESTRA_RUNS says how often. */
export async function tryUntouched(_place: Place, report: Report): Promise<void> {
  const each = Math.ceil(
    Number(process.env['ORCHESTRA_RUNS'] ?? 200) / (Object.keys(planners).length * 2 - 1),
  );
  for (const sandbox of ['required', 'off'] as const) {
    for (const [name, script] of Object.entries(planners)) {
      // Without a sandbox whoever runs as the person can write what the person can; that it is found out is tried among the attacks.
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
  const stage = openStage({project: `sandbox: ${sandbox}\nlimits:\n  runs: 16\n`});
  let [held, plans] = [0, 0];
  try {
    stage.act(
      'plan',
      `REPOSITORY='${stage.root}'\n${script}\nprintf '\`\`\`json\\n'; cat "$HOME/plan.json"; printf '\\n\`\`\`\\n'\n`,
    );
    const before = fingerprint(stage);
    for (let count = 0; count < times; count++) {
      const {code} = await stage.objective();
      const state = await stage.state();
      const run = state.runs.pages.flat().at(-1);
      if (run?.stage.at === 'reviewing') plans += 1;
      if (code === 3 && fingerprint(stage) === before) held += 1;
      if (run !== undefined) stage.run('discard', run.id);
    }
  } finally {
    await stage.close();
  }

  return {held, plans};
}
