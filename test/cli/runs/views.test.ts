import assert from 'node:assert/strict';
import path from 'node:path';
import {spawnSync} from 'node:child_process';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {createDaemonFixture, launcher} from '../../daemon/support/daemon-fixture.ts';

/** What moves from run to run, by what it is. */
const moving: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{64}\b|\b[0-9a-f]{40}\b|\b[0-9a-f]{12}\b/g, '<hash>'],
  [/\b20\d\d-\d\d-\d\d\b/g, '<date>'],
  [/\b1[5-9]\d{11}\b/g, '<time>'],
];

describe('the demo, told afterwards', () => {
  it('has one shape for each view as JSON', async (t) => {
    const fixture = createDaemonFixture(t);
    const demo = await fixture.launch('demo', '--headless');
    assert.equal(demo.code, 0, demo.out + demo.err);
    const root =
      /^A repository with a real bug: (?<root>.*)$/m.exec(demo.out)?.groups?.['root'] ?? '';
    t.after(() => {
      rmSync(path.dirname(root), {recursive: true, force: true});
    });
    const run = (
      ...argv: readonly string[]
    ): {readonly code: number | null; readonly out: string; readonly err: string} => {
      const {status, stdout, stderr} = spawnSync(process.execPath, [launcher, ...argv], {
        cwd: root,
        env: fixture.env,
        encoding: 'utf8',
      });
      return {code: status, out: stdout, err: stderr};
    };

    try {
      for (const [name, argv] of Object.entries({
        status: ['status', 'r1'],
        overview: ['status'],
        needs: ['needs'],
        brief: ['brief'],
        timeline: ['timeline', 'r1'],
        audit: ['audit', 'r1'],
        diff: ['diff', 'r1'],
      })) {
        const {code, out, err} = run(...argv, '--json');
        assert.deepEqual([code, err], [0, ''], name);
        compare(name, normalised(withShapes(JSON.parse(out)), root));
      }
    } finally {
      run('daemon', 'stop');
    }
  });
});

/** Views for screens depend on times and hashes in many places: only their shape is compared. */
const measured = ['view', 'chart', 'rows', 'card'];

function withShapes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      measured.includes(key) ? shapeOf(member) : member,
    ]),
  );
}

/** Names of fields and kinds of values; of a list, each shape that occurs. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = new Set(value.map((member) => JSON.stringify(shapeOf(member))));
    return [...shapes].toSorted().map((text) => JSON.parse(text) as unknown);
  }

  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, shapeOf(member)]),
  );
}

/** Numbers that measure become their kind; two tasks at once come in one order. */
function normalised(value: unknown, root: string): unknown {
  const known = JSON.stringify(value).replaceAll(path.dirname(root), '<home>');
  const steady = moving.reduce(
    (text, [pattern, by]) => text.replaceAll(pattern, by),
    known.replaceAll(/:(\s*)1[5-9]\d{11}\b/g, ':"<time>"'),
  );
  return JSON.parse(steady, (key, member: unknown) => {
    if (
      typeof member === 'number' &&
      /ms$|tokens|full|spent|bytes|port|seq|since|^at$|until|pid|input|output|budget/i.test(key)
    )
      return '<number>';
    if (typeof member === 'string')
      return member
        .replaceAll(/\bs\d+\b/g, 's<n>')
        .replaceAll(/:\d{4,5}\b/g, ':<port>')
        .replaceAll(/orchestra \d+\.\d+\.\d+/g, 'orchestra <version>');
    return Array.isArray(member) && member.every((one) => typeof one === 'object')
      ? steadyList(member)
      : member;
  });
}

/** What is the same once it is normalised, such as how often a daemon was started, counts once. */
function steadyList(members: readonly unknown[]): readonly unknown[] {
  const texts = [...new Set(members.map((member) => JSON.stringify(member)))].toSorted();
  return texts.map((text) => JSON.parse(text) as unknown);
}

/** With `goldens/NAME.json`; `UPDATE_GOLDENS=1` writes it instead. */
function compare(name: string, actual: unknown): void {
  const file = path.join(import.meta.dirname, 'goldens', `${name}.json`);
  const text = `${JSON.stringify(actual, undefined, 2)}\n`;
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'), `${file} differs; UPDATE_GOLDENS=1 rewrites it`);
}
