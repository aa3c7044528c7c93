import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {eventually} from '../../../test/support/eventually.ts';
import type {Fixture} from '../sessions/fixture.ts';
import {type OrchestraBench, openOrchestra} from '../sessions/orchestra.ts';

/** Which long lists the app has to show. */
export type Story = 'a plan to approve' | 'a run to accept';

/** A repository whose one run was made by the built-in agent, through the command line alone. */
export async function openStory(fixture: Fixture, story: Story): Promise<OrchestraBench> {
  const bench = openOrchestra(fixture);
  makeRepository(bench);
  const playbook = fixture.newPath('playbook');
  writeFileSync(playbook, JSON.stringify(toPlaybook(story)));
  const argv = ['run', 'Give every module its sum', '--agent', 'playbook', '--playbook', playbook];
  if (story === 'a run to accept') await bench.run(...argv, '--approve');
  else {
    await bench.run(...argv, '--detach');
    // It exits with 3 while the plan waits for its approval.
    await eventually('the plan', () =>
      bench.run('plan', 'show', 'r1').then(
        () => false,
        (error: unknown) => (error as {readonly code?: unknown}).code === 3,
      ),
    );
  }

  return bench;
}

function makeRepository({root, env}: OrchestraBench): void {
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), {recursive: true});
    writeFileSync(path.join(root, name), text);
  };
  write('.orchestra/project.yaml', 'sandbox: off\nbaseline: false\n');
  for (let module = 1; module <= modules; module++) write(nameOf(module), sourceOf('before'));
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', argv, {cwd: root, env, stdio: 'pipe'});
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
}

function toPlaybook(story: Story): object {
  const isWorkedOn = story === 'a run to accept';
  const numbers = Array.from({length: isWorkedOn ? modules : 40}, (_, index) => index + 1);
  return {
    plan: {
      problem: 'Nobody knows the sum of a module, and everybody counts it again.',
      rootCause: 'The modules were written one after another, each without the others.',
      assumptions: ['Numbers stay small.', 'Modules are pure.'],
      invariants: ['Exported names stay.'],
      risks: ['A name that somebody else uses.'],
      tasks: numbers.map((number) => ({
        id: `t${number}`,
        title: `Sum up module ${number}`,
        brief: `Write the sum of module ${number} where its values are, and nowhere else.`,
        files: [nameOf(number)],
        ...(number > modules && {after: [`t${number - modules}`]}),
      })),
      validation: [{name: 'test', command: 'true'}],
    },
    ...(isWorkedOn && {
      tasks: Object.fromEntries(
        numbers.map((number) => [
          `t${number}`,
          [{write: {path: nameOf(number), text: sourceOf('after')}}],
        ]),
      ),
    }),
  };
}

const modules = 5;

function nameOf(module: number): string {
  return `src/module-${module}.ts`;
}

/** Every third line differs, so a diff of it is long and has many changes. */
function sourceOf(when: string): string {
  return Array.from({length: 240}, (_, line) =>
    line % 3 === 0
      ? `export const value${line} = compute('${when}', ${line}); // as it is ${when}\n`
      : `  // line ${line} stays as it is, whatever ${'happens '.repeat(line % 5)}\n`,
  ).join('');
}
