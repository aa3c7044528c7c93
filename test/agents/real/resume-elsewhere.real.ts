import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {startInTerminal} from '../../system/support/terminal-program.ts';
import {createFixture} from './support/fixture.ts';
import {createInteractive, typePrompt} from './support/interactive.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,pi').split(',');

describe('a conversation that began in another folder', () => {
  for (const name of names)
    test(`${name}: goes on in a worktree that has nothing but its record`, async (t) => {
      const fixture = await createFixture(t, name, import.meta.filename, () => ({tools}) => ({
        text: tools.length === 0 ? 'A title' : 'I see.',
      }));
      const {driver, home, directory} = fixture;
      const transcript = driver.interactive?.transcript ?? assert.fail();
      const env = name === 'codex' ? {CODEX_HOME: path.join(home, '.codex')} : {};
      const records = transcript.directory(home, env);
      const agent = createInteractive(t, fixture);
      const terminal = await agent.open({});
      const {conversation = assert.fail('no conversation')} = await agent.endTurn(
        terminal,
        'The word is swordfish.',
      );
      const record = await eventually('it is recorded', () =>
        existsSync(records)
          ? readdirSync(records, {recursive: true, encoding: 'utf8'}).find(
              (one) =>
                transcript.isRecordOf(one, conversation) &&
                readFileSync(path.join(records, one), 'utf8').includes('I see.'),
            )
          : undefined,
      );
      const text = readFileSync(path.join(records, record), 'utf8');
      terminal.type('\u0003');
      terminal.type('\u0003');
      await eventually('it has ended', () => {
        if (!terminal.hasExited()) terminal.type('\u0003');
        return terminal.hasExited();
      });
      rmSync(records, {recursive: true});
      // What agents know besides: gemini's list of projects, codex's database of threads.
      rmSync(path.join(home, '.gemini', 'projects.json'), {force: true});
      const codexHome = path.join(home, '.codex');
      for (const file of existsSync(codexHome) ? readdirSync(codexHome) : [])
        if (file.includes('.sqlite')) rmSync(path.join(codexHome, file));
      const other = path.join(path.dirname(directory), 'other.worktrees', 'r1-t1');
      mkdirSync(other, {recursive: true});
      for (const {from, answer} of driver.settings?.(home, env).answered ?? [])
        writeFileSync(from, answer(readFileSync(from, 'utf8'), [other]));
      const moved = transcript.moveTo({path: record, text}, other);
      mkdirSync(path.dirname(path.join(records, moved.path)), {recursive: true});
      writeFileSync(path.join(records, moved.path), moved.text);
      const command = fixture.command({
        isInteractive: true,
        isConfined: true,
        nestsSandboxes: process.getuid?.() !== 0,
        signalsFile: path.join(path.dirname(directory), 'exchange', 'signals.jsonl'),
        directory: other,
        conversation,
      });
      const asked = fixture.server.asked.length;
      const second = await startInTerminal(t, command.argv, {cwd: other, env: command.env});
      await typePrompt(driver, second, 'Which word was it?');
      await eventually('the model is asked', () =>
        fixture.server.asked.slice(asked).some(({tools}) => tools.length > 0),
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${second.screen()}`));
      const last = fixture.server.asked.findLast(({tools}) => tools.length > 0);
      assert.match(last?.user.join('\n') ?? '', /The word is swordfish\.[^]*Which word was it\?/);
    });
});
