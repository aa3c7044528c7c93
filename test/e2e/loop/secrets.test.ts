import assert from 'node:assert/strict';
import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {createFixture, getPlan, type LoopFixture} from './support/loop-fixture.ts';

const word = (length: number): string => randomBytes(length).toString('hex').slice(0, length);

/** Fifty: half of them values of the environment, half of them known by their form. */
const variables = Object.fromEntries(
  Array.from({length: 25}, (_, index) => [
    `CANARY_${index}_${['KEY', 'SECRET', 'TOKEN', 'PASSWORD', 'CREDENTIAL'][index % 5]}`,
    `canary-${word(16)}`,
  ]),
);
const formed = Array.from(
  {length: 25},
  (_, index) =>
    [
      `sk-${word(32)}1`,
      `AKIA${word(16).toUpperCase()}`,
      `ghp_${word(36)}`,
      `xoxb-${word(20)}`,
      `glpat-${word(20)}`,
    ][index % 5]!,
);
const canaries = [...Object.values(variables), ...formed];
const names = Object.keys(variables);

/** Prints them all, each on a line of its own, and some in the middle of words. */
const spill = `. "$HOME/spill"`;

describe('fifty planted secrets', () => {
  it('stand in no journal, summary, prompt or explanation, whoever printed them', async (t) => {
    const fixture = createFixture(t, {
      env: variables,
      project: `environment: [${names.join(', ')}]\n`,
      tasks: [{id: 't1'}, {id: 't2'}, {id: 't3'}, {id: 't4'}],
      rules:
        '# 1. Constraints\n- Required. `require: sh require.sh`\n\n# 2. Validation\n1. Not red. `test: sh check.sh`\n',
      files: {
        'check.sh': `if grep -q red *.txt 2>/dev/null; then ${spill}; echo "FAIL: expected $(head -n 1 "$HOME/all") to be there"; exit 1; fi\n`,
        'require.sh': 'if test -e t2.txt; then cat "$HOME/all"; exit 1; fi\n',
      },
      acts: {
        t1: `${spill}; echo red > t1.txt; printf '{"at":"finished","words":"%s","report":{"rootCause":"%s","decisions":["%s"]}}' "$(tr '\\n' ' ' < "$HOME/all")" "$(tr '\\n' ' ' < "$HOME/all")" "$(tail -n 1 "$HOME/all")" > "$2"`,
        t2: `${spill}; echo x > t2.txt`,
        t3: `${spill}; printf '{"at":"gave-up","words":"%s"}' "$(tr '\\n' ' ' < "$HOME/all")" > "$2"; exit 1`,
        t4: `${spill}; if [ ! -e "$HOME/asked" ]; then touch "$HOME/asked"; printf "Is it %s? " "$(head -n 1 "$HOME/all")"; read -r answer; fi; cat "$HOME/all"; exit 5`,
      },
    });
    writeFileSync(path.join(fixture.home, 'all'), `${canaries.join('\n')}\n`);
    writeFileSync(
      path.join(fixture.home, 'spill'),
      'cat "$HOME/all"; while read -r canary; do printf "the word is %s, I think\\n" "$canary"; done < "$HOME/all"\n',
    );
    writeFileSync(
      path.join(fixture.home, 'plan.json'),
      JSON.stringify(
        getPlan([{id: 't1'}, {id: 't2'}, {id: 't3'}, {id: 't4'}], {
          rootCause: `The key ${Object.values(variables).join(' and ')} is old.`,
        }),
      ),
    );
    const run = await fixture.objective('--approve');
    assert.equal(run.code, 3, run.err);
    const {session} = fixture.eventsOf('session-waiting')[0]!;
    fixture.run('send', session, 'no');
    await fixture.until(
      'all have stopped, and of each is told',
      () =>
        fixture.eventsOf('task-stopped').length === 4 &&
        fixture.eventsOf('summary-written').length === 4,
    );
    const notified = [
      run.out,
      ...['needs', 'status', 'timeline', 'brief', 'audit'].map((view) => fixture.run(view).out),
      ...['r1.t1', 'r1.t2', 'r1.t3', 'r1.t4'].map((task) => fixture.run('explain', task).out),
      fixture.run('plan', 'show', 'r1').out,
    ];
    const leaks = [
      ...notified.map((text, index) => [`told ${index}`, text] as const),
      ...writtenBy(fixture),
    ].flatMap(([where, text]) =>
      canaries.flatMap((canary, index) =>
        text.includes(canary) ? [`${where}: canary ${index}`] : [],
      ),
    );
    assert.deepEqual(leaks, []);
    assert.equal(canaries.length, 50);
  });
});

function writtenBy(fixture: LoopFixture): readonly (readonly [string, string])[] {
  const knowledge = path.join(fixture.root, '.orchestra', 'knowledge');
  return [
    ['journal', readFileSync(path.join(fixture.current().stateDirectory, 'journal.jsonl'), 'utf8')],
    ['daemon.log', readFileSync(path.join(fixture.current().stateDirectory, 'daemon.log'), 'utf8')],
    ...fixture.prompts().map((text, index) => [`prompt ${index}`, text] as const),
    ...readdirSync(knowledge).map(
      (name) => [name, readFileSync(path.join(knowledge, name), 'utf8')] as const,
    ),
  ];
}
