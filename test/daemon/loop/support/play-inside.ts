import assert from 'node:assert/strict';
import path from 'node:path';
import {eventually} from '../../../support/eventually.ts';
import {insideAttacks, prepareBelongings, type InsideAttack} from './inside-attacks.ts';
import {openStage, type Stage} from './stage.ts';

/** Who runs the attack: the agent itself, its code when a check runs it, or its code when a `require:` rule runs it. */
export type AttackedBy = 'agent' | 'check' | 'require';

const rules =
  '# 1. Modification\n- It is looked at. `require: sh require.sh`\n# 2. Validation\n1. Nothing is red. `test: sh check.sh`\n';

/** All attacks in one run; gives what was left of each that left something. The run itself goes on to its end. */
export async function playInside(
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
  const stage = openStage({
    project: `sandbox: ${sandbox}\n`,
    rules,
    files,
    tasks: [{id: 't1', files: ['**']}],
  });
  try {
    const values = `MAIN='${stage.root}' STATE='${path.dirname(stage.here().stateDirectory)}'; export MAIN STATE`;
    const attack = `${values}\n${script}\n`;
    const written =
      by === 'agent' ? '' : `cat > ${by}.sh <<'END_OF_ATTACK'\n${attack}exit 0\nEND_OF_ATTACK\n`;
    stage.act(
      't1',
      `${by === 'agent' ? attack : written}echo done > t1.txt\nrm -f survivor-1\nexit 0`,
    );
    prepareBelongings(stage);
    const {code, out} = await stage.objective('--approve');
    assert.ok(stage.eventsOf('change-captured').length > 0, `the attack was made: ${out}`);
    assert.ok(by === 'agent' || code !== 2, out);
    const left: string[] = [];
    for (const {name, left: look} of attacks) {
      const found = await settled(stage, look);
      if (found !== undefined) left.push(`${name}: ${found}`);
    }

    return left;
  } finally {
    await stage.close();
  }
}

/** Ends take a moment; what is there after that is left. */
async function settled(stage: Stage, look: InsideAttack['left']): Promise<string | undefined> {
  const first = look(stage);
  if (first === undefined) return undefined;
  return eventually('it is gone', () => look(stage) === undefined, 5000).then(
    () => undefined,
    () => first,
  );
}
