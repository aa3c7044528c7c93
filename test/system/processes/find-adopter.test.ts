import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {findAdopter, readCredentials} from '../../../source/system/index.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {kernel, processAt} from '../support/own-kernel.ts';

describe('who adopts what a session leaves', () => {
  it('is one of our ancestors, and nobody is left of the trial', async () => {
    const pid = await findAdopter();
    assert.ok(pid !== undefined);
    const above: number[] = [];
    for (let at = process.pid; at > 1;) {
      at = (await processAt(at))?.parent ?? 0;
      above.push(at);
    }

    assert.ok(pid === 1 || above.includes(pid), `${pid} of ${above.join(' ')}`);
  });

  it('is a process that asked the kernel for it, whatever it is called', async (t) => {
    // PR_SET_CHILD_SUBREAPER, by the number that prctl has on this machine.
    const program = `syscall(${process.arch === 'arm64' ? 167 : 157}, 36, 1, 0, 0, 0); $0 = "quiet"; print STDOUT $$, "\\n"; system(@ARGV); exit 0`;
    const ask = `import {findAdopter} from '${path.join(import.meta.dirname, '../../../source/system/index.ts')}'; console.log(await findAdopter());`;
    const child = spawn(
      '/usr/bin/perl',
      [
        '-e',
        `$| = 1; ${program}`,
        process.execPath,
        '--import',
        'tsx',
        '--input-type=module',
        '-e',
        ask,
      ],
      {stdio: ['ignore', 'pipe', 'inherit'], cwd: path.join(import.meta.dirname, '../../..')},
    );
    t.after(() => child.kill('SIGKILL'));
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await once(child, 'close');
    const [own, adopter] = text.trim().split('\n');
    assert.equal(Number(own), child.pid);
    assert.equal(adopter, own);
  });

  it('is nobody where the trial takes too long', async () => {
    assert.equal(await findAdopter({timeoutMs: 50, shellScript: 'exec sleep 600'}), undefined);
  });
});

describe('whose a process is', () => {
  it('is read from what the kernel says of its users and its login', (t) => {
    const proc = temporaryDirectory(t);
    const put = (pid: number, status: string, sessionid?: string): void => {
      mkdirSync(path.join(proc, String(pid)));
      writeFileSync(path.join(proc, String(pid), 'status'), status);
      if (sessionid !== undefined)
        writeFileSync(path.join(proc, String(pid), 'sessionid'), sessionid);
    };
    put(1, 'Name:\tUid: 7\nUmask:\t0022\nUid:\t1000\t0\t0\t0\nGid:\t1\n', '12');
    put(2, 'Uid:\t0\t0\t0\t0\n', '4294967295');
    put(3, '');
    const read = (pid: number): unknown => readCredentials(pid, {...kernel, proc});
    assert.deepEqual(
      [read(1), read(2), read(3), read(4)],
      [{uids: [1000, 0, 0, 0], audit: 12}, {uids: [0, 0, 0, 0]}, {uids: []}, {uids: []}],
    );
  });
});
