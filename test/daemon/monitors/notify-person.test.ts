import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {emptyLedger, withLedgerEntry} from '../../../source/shared/index.ts';
import {desktopProgramsFor, formatTitle} from '../../../source/daemon/monitors/notify-person.ts';
import {emptyState, type Need, type State} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture} from '../support/daemon-fixture.ts';

/** A desktop that writes down what it is told to show. */
function putDesktop({home}: DaemonFixture): void {
  mkdirSync(path.join(home, 'bin'));
  writeFileSync(
    path.join(home, 'bin', 'notify-send'),
    '#!/bin/sh\nfor word; do printf "%s|" "$word"; done >> "$HOME/desktop.log"; echo >> "$HOME/desktop.log"\n',
  );
  chmodSync(path.join(home, 'bin', 'notify-send'), 0o755);
}

/** Those that are whole: the last may still be written. */
function toLines({home}: DaemonFixture, name: string): string[] {
  try {
    return readFileSync(path.join(home, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

describe('a person whom something needs', () => {
  it('is told once, by their own command and on the desktop, also over a restart', async (t) => {
    const fixture = createDaemonFixture(t, {DISPLAY: ':0'});
    putDesktop(fixture);
    Object.assign(fixture.env, {PATH: `${fixture.home}/bin:${fixture.env['PATH'] ?? ''}`});
    assert.equal(
      fixture.run(
        'settings',
        'command',
        'printf "%s\\n" "$ORCHESTRA_NEED" >> "$HOME/told.log"; cat >> "$HOME/json.log"; echo >> "$HOME/json.log"',
      ).code,
      0,
    );
    const session = await fixture.start('/bin/sh', '-c', 'printf "Which port? "; read port');
    const notified = await eventually('the command was run', () =>
      toLines(fixture, 'told.log').length > 0 ? toLines(fixture, 'told.log') : undefined,
    );
    assert.deepEqual(notified, [`${session} asks: Which port?`]);
    await eventually('the desktop was told', () => toLines(fixture, 'desktop.log').length > 0);
    assert.deepEqual(toLines(fixture, 'desktop.log'), [
      `--app-name=orchestra|--|repository · ${session}|${session} asks: Which port?|`,
    ]);
    const [json] = await eventually('the command has read its input', () =>
      toLines(fixture, 'json.log').length > 0 ? toLines(fixture, 'json.log') : undefined,
    );
    const {need, title, repository} = JSON.parse(json ?? '') as {
      readonly title: string;
      readonly repository: string;
      readonly need: {readonly kind: string; readonly session: string};
    };
    assert.deepEqual(
      [need.kind, need.session, title, repository],
      ['question', session, `repository · ${session}`, fixture.root],
    );

    await fixture.killDaemon('SIGKILL');
    await eventually('it still asks', async () => (await fixture.sessionOf(session))?.waiting);
    const other = await fixture.start('/bin/sh', '-c', 'printf "Which name? "; read name');
    await eventually('the second is told of', () => toLines(fixture, 'told.log').length > 1);
    assert.deepEqual(toLines(fixture, 'told.log'), [
      `${session} asks: Which port?`,
      `${other} asks: Which name?`,
    ]);
  });

  it('reads where and what it is about, in one bounded line without anything that acts', () => {
    const task = {
      id: 'r1.t2',
      planned: {title: `Mend\n\u001B[31mthe\u202E parser ${'x'.repeat(300)}`},
    };
    const state = {
      ...emptyState,
      runs: withLedgerEntry(emptyLedger, 1, {
        id: 'r1',
        tasks: [task],
        request: {objective: 'Better'},
      } as never),
    } as State;
    const stopped = {
      id: 'x',
      since: 1,
      kind: 'stopped',
      task: 'r1.t2',
      why: {kind: 'gave-up', words: 'x'},
    } as Need;
    const title = formatTitle(stopped, state, '/home/me/a\u0007shop');
    assert.match(title, /^a\S*shop · r1\.t2 Mend/);
    assert.ok(!/[\u0000-\u001F\u202E]/.test(title) && title.length <= 80, JSON.stringify(title));
    assert.equal(
      formatTitle(
        {
          id: 'x',
          since: 1,
          kind: 'service',
          service: 'web',
          stage: {at: 'failed', why: {kind: 'exits', times: 3}},
        } as never,
        emptyState,
        '/shop',
      ),
      'shop · web',
    );
  });

  it('gets no message where there is no desktop', () => {
    const place = {root: '/nowhere', env: {PATH: '/bin:/usr/bin'}};
    assert.deepEqual(
      desktopProgramsFor({title: 'x', text: 'x'}, {...place, platform: 'linux'}),
      [],
    );
  });
});
