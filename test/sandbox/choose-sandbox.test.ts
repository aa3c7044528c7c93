import assert from 'node:assert/strict';
import {test} from 'node:test';
import {chooseSandbox, type SandboxFacts} from '../../source/sandbox/index.ts';

const works: SandboxFacts = {
  at: 'works',
  name: 'bubblewrap',
  file: '/usr/bin/bwrap',
  isVerified: true,
};
const missing: SandboxFacts = {
  at: 'missing',
  name: 'bubblewrap',
  installation: 'the package bubblewrap (apt, dnf, pacman, apk)',
};
const broken: SandboxFacts = {
  at: 'broken',
  name: 'bubblewrap',
  file: '/usr/bin/bwrap',
  why: 'apparmor',
  said: 'setting up uid map: Permission denied',
};
const unverified: SandboxFacts = {
  at: 'works',
  name: 'sandbox-exec',
  file: '/usr/bin/sandbox-exec',
  isVerified: false,
};
const consequence =
  'An agent can write wherever you can; orchestra finds what it changes outside its worktree only afterwards.';

for (const [command, facts, choice] of [
  [
    'auto',
    works,
    {use: true, file: '/usr/bin/bwrap', words: 'Agents run in a sandbox (bubblewrap).'},
  ],
  [
    'required',
    works,
    {use: true, file: '/usr/bin/bwrap', words: 'Agents run in a sandbox (bubblewrap).'},
  ],
  ['off', works, {use: false, words: `No sandbox: the project says sandbox: off. ${consequence}`}],
  ['auto', missing, {use: false, words: `No sandbox: bubblewrap is not installed. ${consequence}`}],
  [
    'auto',
    broken,
    {
      use: false,
      words: `No sandbox: bubblewrap (/usr/bin/bwrap) does not work here: setting up uid map: Permission denied. ${consequence}`,
    },
  ],
  [
    'auto',
    unverified,
    {use: false, words: `No sandbox: orchestra is not tested with sandbox-exec. ${consequence}`},
  ],
  ['auto', {at: 'none'}, {use: false, words: `No sandbox: this platform has none. ${consequence}`}],
  [
    'required',
    missing,
    {
      use: 'refused',
      words:
        'The project says sandbox: required, but bubblewrap is not installed. Nothing starts. Install the package bubblewrap (apt, dnf, pacman, apk), or set sandbox: auto in .orchestra/project.yaml.',
    },
  ],
  [
    'required',
    broken,
    {
      use: 'refused',
      words:
        'The project says sandbox: required, but bubblewrap (/usr/bin/bwrap) does not work here: setting up uid map: Permission denied. Nothing starts. Run orchestra doctor to see why, or set sandbox: auto in .orchestra/project.yaml.',
    },
  ],
  [
    'required',
    unverified,
    {
      use: 'refused',
      words:
        'The project says sandbox: required, but orchestra is not tested with sandbox-exec. Nothing starts. Run orchestra where bubblewrap works (Linux), or set sandbox: auto in .orchestra/project.yaml.',
    },
  ],
] as const) {
  test(`${command}, where the sandbox ${facts.at === 'works' && !facts.isVerified ? 'is not verified' : `is: ${facts.at}`}`, () => {
    assert.deepEqual(chooseSandbox(command, facts), choice);
  });
}
