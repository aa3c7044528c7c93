import assert from 'node:assert/strict';
import {eventually} from '../../../support/eventually.ts';
import type {TerminalProgram} from '../../../system/support/terminal-program.ts';
import type {Fixture} from './fixture.ts';

/** Types a prompt as a person would, once the agent shows that it takes one. */
export async function typeInto(
  {driver}: Pick<Fixture, 'driver'>,
  terminal: TerminalProgram,
  text: string,
): Promise<void> {
  const ready = new RegExp(driver.screen.ready ?? assert.fail(), 'm');
  await eventually(
    'it is ready and still',
    () => ready.test(terminal.screen()) && terminal.silentMs() > 1000,
    90_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`));
  terminal.type(`\u001B[200~${text}\u001B[201~`);
  await eventually(
    'it shows what was typed, and is still',
    () => terminal.screen().includes(text) && terminal.silentMs() > 500,
    30_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`));
  terminal.type('\r');
}
