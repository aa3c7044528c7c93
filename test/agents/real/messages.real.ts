import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {before, describe, test} from 'node:test';
import {findDriver, inboxFiles, parseInboxResult} from '../../../source/agents/index.ts';
import {bundleProgram} from '../../support/bundle-program.ts';
import {eventually} from '../../support/eventually.ts';
import {startInTerminal} from '../../system/support/terminal-program.ts';
import type {Script} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {createFixture} from './support/fixture.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,opencode,pi').split(',');

/** It runs a command for some seconds; once it has a message, it answers that. */
const busy =
  (name: string): Script =>
  (asked) => {
    const {tools, results} = asked;
    const {shell} = actionNames[name] ?? assert.fail(name);
    if (tools.length === 0) return {text: 'A title'};
    // claude adds it to the result of its command.
    if (JSON.stringify(asked).includes('Use tabs.')) return {text: 'With tabs, then.'};
    return results.length === 0
      ? {text: 'I look.', calls: [shell('echo began > began.txt; sleep 8; echo ended > ended.txt')]}
      : {text: 'There it is.'};
  };

const hasChannel = (name: string): boolean => {
  const found = findDriver(name, []);
  return 'driver' in found && found.driver.channel !== undefined;
};

describe('a message to an agent that works', () => {
  let renderer = '';
  before(async () => {
    renderer = await bundleProgram('test/agent-runner/programs/render.ts');
  });

  for (const name of names)
    test(`${name}, headless: ${hasChannel(name) ? 'reads it at its next step' : 'is ended and resumes its conversation with it'}`, async (t) => {
      const fixture = await createFixture(t, name, renderer, () => busy(name));
      const inbox = path.join(path.dirname(fixture.directory), 'inbox');
      mkdirSync(inbox);
      const started = fixture.start({
        inbox,
        prompt: 'Greet everybody.',
        isConfined: true,
        nestsSandboxes: process.getuid?.() !== 0,
      });
      await eventually(
        'its command runs',
        () => existsSync(path.join(fixture.directory, 'began.txt')),
        90_000,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${started.screen()}`));
      writeFileSync(path.join(inbox, inboxFiles.asked(1)), JSON.stringify({text: 'Use tabs.'}));
      const {code, outcome, screen} = await started.ended;
      assert.equal(code, 0, screen);
      assert.equal(outcome?.at, 'finished', screen);
      assert.match(outcome.words, /With tabs, then\./);
      assert.equal(
        parseInboxResult(readFileSync(path.join(inbox, inboxFiles.done(1)), 'utf8')),
        hasChannel(name) ? 'channel' : 'restart',
      );
      // The command that runs is ended only where the agent is.
      assert.equal(existsSync(path.join(fixture.directory, 'ended.txt')), hasChannel(name));
      const asked = fixture.server.asked.findLast(({tools}) => tools.length > 0);
      assert.match(JSON.stringify(asked), /Use tabs\./);
      const sent = fixture.server.asked.filter(
        (one) => one.tools.length > 0 && JSON.stringify(one).includes('Use tabs.'),
      );
      assert.equal(sent.length, 1, 'it is sent once');
    });

  for (const name of names)
    test(`${name}, in its own interface: takes it while it works`, async (t) => {
      const fixture = await createFixture(t, name, import.meta.filename, () => busy(name));
      const signalsFile = path.join(path.dirname(fixture.directory), 'exchange', 'signals.jsonl');
      const {argv, env} = fixture.command({
        isInteractive: true,
        isConfined: true,
        nestsSandboxes: process.getuid?.() !== 0,
        signalsFile,
      });
      const terminal = await startInTerminal(t, argv, {cwd: fixture.directory, env});
      const {ready = '', takesInputAtWork} = fixture.driver.screen;
      assert.equal(takesInputAtWork, true);
      const shows = (what: string, look: () => boolean): Promise<unknown> =>
        eventually(what, look, 60_000).catch((error: unknown) =>
          assert.fail(`${String(error)}\n${terminal.screen()}`),
        );
      const enter = async (text: string): Promise<void> => {
        terminal.type(`\u001B[200~${text}\u001B[201~`);
        await shows(
          'it shows what was typed',
          () => terminal.screen().includes(text) && terminal.silentMs() > 50,
        );
        await eventually('a pause after a paste', () => terminal.silentMs() > 100, 2000).catch(
          () => undefined,
        );
        terminal.type('\r');
      };

      await shows(
        'it is ready',
        () => new RegExp(ready, 'm').test(terminal.screen()) && terminal.silentMs() > 1000,
      );
      await enter('Greet everybody.');
      await shows('its command runs', () => existsSync(path.join(fixture.directory, 'began.txt')));
      await shows('its input is there while it works', () =>
        new RegExp(ready, 'm').test(terminal.screen()),
      );
      await enter('Use tabs.');
      await shows('it has got it', () => terminal.screen().includes('With tabs, then.'));
    });
});
