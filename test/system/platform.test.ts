import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {
  getFileSystem,
  parseLogind,
  readDisk,
  readFileSystem,
  readSystem,
} from '../../source/system/index.ts';
import {temporaryDirectory} from './fixtures.ts';

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), {recursive: true});
    writeFileSync(path.join(root, file), text);
  }
}

test('this system is read', () => {
  const {platform, arch, kernel, bootId} = readSystem();
  assert.deepEqual(
    {platform, arch, kernel},
    {platform: os.platform(), arch: os.arch(), kernel: os.release()},
  );
  if (platform === 'linux') assert.match(bootId ?? '', /^[0-9a-f-]{36}$/);
});

test('where the kernel says nothing, nothing is claimed', (t) => {
  assert.deepEqual(readSystem(temporaryDirectory(t), '6.1'), {
    platform: os.platform(),
    arch: os.arch(),
    kernel: '6.1',
    isContainer: false,
    hasSystemd: false,
    userNamespaces: 'allowed',
  });
});

test('containers, systemd and the boot are seen by their files', (t) => {
  const root = temporaryDirectory(t);
  writeFiles(root, {
    '.dockerenv': '',
    'run/systemd/system/x': '',
    'proc/sys/kernel/random/boot_id': '7bdbd7d9\n',
  });
  const {bootId, isContainer, hasSystemd} = readSystem(root);
  assert.deepEqual(
    {bootId, isContainer, hasSystemd},
    {bootId: '7bdbd7d9', isContainer: true, hasSystemd: true},
  );
});

for (const [file, value, expected] of [
  ['proc/sys/user/max_user_namespaces', '0', 'off'],
  ['proc/sys/kernel/unprivileged_userns_clone', '0', 'off'],
  ['proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1', 'restricted'],
  ['proc/sys/user/max_user_namespaces', '15000', 'allowed'],
] as const) {
  test(`${file} = ${value} means that user namespaces are ${expected}`, (t) => {
    const root = temporaryDirectory(t);
    writeFiles(root, {[file]: `${value}\n`});
    assert.equal(readSystem(root).userNamespaces, expected);
  });
}

test('both Windows subsystems are told apart', () => {
  assert.equal(readSystem('/', '4.4.0-19041-Microsoft').wsl, 1);
  assert.equal(readSystem('/', '5.15.90.1-microsoft-standard-WSL2').wsl, 2);
  assert.equal(readSystem('/', '6.18.44').wsl, undefined);
});

test('the disk of a directory that is not there yet is the one it would be on', (t) => {
  const home = temporaryDirectory(t);
  const disk = readDisk(path.join(home, 'not', 'yet'));
  assert.equal(disk?.path, home);
  assert.ok(disk.free >= 0 && disk.total >= disk.free && disk.total > 0);
});

test('the file system is read, and is unknown where only Linux would tell', (t) => {
  const home = temporaryDirectory(t);
  assert.deepEqual(readFileSystem(path.join(home, 'not', 'yet'), 'darwin'), {
    name: 'unknown',
    isNetwork: 'unknown',
  });
  if (process.platform === 'linux')
    assert.deepEqual(readFileSystem('/proc/not/yet', 'linux'), {name: 'local', isNetwork: 'no'});
});

test('network file systems are known by their numbers, with or without a sign', () => {
  assert.deepEqual(getFileSystem(0x69_69), {name: 'nfs', isNetwork: 'yes'});
  assert.deepEqual(getFileSystem(0xff_53_4d_42), {name: 'cifs', isNetwork: 'yes'});
  assert.deepEqual(getFileSystem(0xff_53_4d_42 - 2 ** 32), {name: 'cifs', isNetwork: 'yes'});
  assert.deepEqual(getFileSystem(0x01_02_19_97), {name: '9p', isNetwork: 'yes'});
  assert.deepEqual(getFileSystem(0x65_73_55_46), {name: 'fuse', isNetwork: 'maybe'});
  assert.deepEqual(getFileSystem(0xef_53), {name: 'local', isNetwork: 'no'});
});

test('the login manager is read as far as it spoke', () => {
  assert.deepEqual(parseLogind('KillUserProcesses=yes\nLinger=no\n'), {
    killsProcesses: true,
    lingers: false,
  });
  assert.deepEqual(parseLogind('KillUserProcesses=no\n\n'), {killsProcesses: false});
  assert.deepEqual(parseLogind('\n'), {});
  assert.deepEqual(parseLogind('Linger=perhaps\nxLinger=yes x\n'), {});
});
