import assert from 'node:assert/strict';
import path from 'node:path';
import {eventually} from '../../../support/eventually.ts';
import {type InsideAttack, insideAttacks, prepareBelongings} from './inside-attacks.ts';
import {type LoopFixture, openStage} from './loop-fixture.ts';

/** What runs the attack: the agent itself, or its code in a check or in a `require:` command. */
export type AttackedBy = 'agent' | 'check' | 'require';

const rules =
  '# 1. Modification\n- It is looked at. `require: sh require.sh`\n# 2. Validation\n1. Nothing is red. `test: sh check.sh`\n';

/**
 * Runs all attacks in one run and returns the effects of those that had one. The run itself
 * completes.
 */
export async function runInside(
  by: AttackedBy,
  attacks: readonly InsideAttack[] = insideAttacks,
  sandbox: 'required' | 'off' = 'required',
): Promise<readonly string[]> {
  const script = attacks
    .map(
      ({script: text}, index) =>
        `( ${text} ) > /dev/null 2>&1 < /dev/null; echo ${index} > /dev/null`,
    )
    .join('\n');
  const files = {'check.sh': 'exit 0\n', 'require.sh': 'exit 0\n'};
  const fixture = openStage({
    project: `sandbox: ${sandbox}\n`,
    rules,
    files,
    tasks: [{id: 't1', files: ['**']}],
  });
  try {
    const values = `MAIN='${fixture.root}' STATE='${path.dirname(fixture.current().stateDirectory)}'; export MAIN STATE`;
    const attack = `${values}\n${script}\n`;
    const written =
      by === 'agent' ? '' : `cat > ${by}.sh <<'END_OF_ATTACK'\n${attack}exit 0\nEND_OF_ATTACK\n`;
    fixture.act(
      't1',
      `${by === 'agent' ? attack : written}echo done > t1.txt\nrm -f survivor-1\nexit 0`,
    );
    prepareBelongings(fixture);
    const {code, out} = await fixture.objective('--approve');
    assert.ok(fixture.eventsOf('change-captured').length > 0, `the attack was made: ${out}`);
    assert.ok(by === 'agent' || code !== 2, out);
    const left: string[] = [];
    for (const {name, left: look} of attacks) {
      const found = await settled(fixture, look);
      if (found !== undefined) left.push(`${name}: ${found}`);
    }

    return left;
  } finally {
    await fixture.close();
  }
}

/** Processes take a moment to end; what runs after that was left. */
async function settled(
  fixture: LoopFixture,
  look: InsideAttack['left'],
): Promise<string | undefined> {
  const first = look(fixture);
  if (first === undefined) return undefined;
  return eventually('it is gone', () => look(fixture) === undefined, 5000).then(
    () => undefined,
    () => first,
  );
}
