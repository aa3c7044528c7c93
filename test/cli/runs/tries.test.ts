import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {UsageError} from '../../../source/cli/repo-paths.ts';
import {parseTries, type TriesOptions} from '../../../source/cli/runs/tries.ts';

describe('--tries and --agents', () => {
  const cases: readonly [TriesOptions, readonly string[] | undefined][] = [
    [{}, undefined],
    [{tries: '2'}, ['', '']],
    [{tries: '8'}, Array.from({length: 8}, () => '')],
    [{agents: 'claude,codex'}, ['claude', 'codex']],
    [{agents: ' claude , codex'}, ['claude', 'codex']],
    [{agents: 'claude,claude'}, ['claude', 'claude']],
    [{tries: '3', agents: 'claude'}, ['claude', 'claude', 'claude']],
    [{tries: '5', agents: 'claude,codex'}, ['claude', 'codex', 'claude', 'codex', 'claude']],
  ];
  for (const [options, agents] of cases)
    it(`${JSON.stringify(options)} gives ${JSON.stringify(agents)}`, () => {
      assert.deepEqual(parseTries(options), agents);
    });

  const wrong: readonly [TriesOptions, string][] = [
    ...['1', '0', '-1', '9', '99', '2.5', 'two', '', '1e1', 'Infinity'].map(
      (tries): [TriesOptions, string] => [
        {tries},
        `expected --tries from 2 to 8, got ${JSON.stringify(tries)}`,
      ],
    ),
    [
      {agents: 'claude'},
      'expected two to 8 agents after --agents, such as claude,codex, got 1. For several tries of one agent add --tries',
    ],
    [
      {agents: 'a,b,c,d,e,f,g,h,i'},
      'expected two to 8 agents after --agents, such as claude,codex, got 9',
    ],
    ...['', ',', 'claude,', 'claude,--yolo', 'Claude,codex', 'claude codex'].map(
      (agents): [TriesOptions, string] => [
        {agents},
        `expected names of agents after --agents, such as claude,codex, got ${JSON.stringify(agents)}`,
      ],
    ),
    [{tries: '2', agents: 'a,b,c'}, 'expected at least --tries 3 for 3 agents, got 2'],
  ];
  for (const [options, text] of wrong)
    it(`${JSON.stringify(options)} is refused: ${text}`, () => {
      assert.throws(
        () => parseTries(options),
        (error) => error instanceof UsageError && error.message === text,
      );
    });
});
