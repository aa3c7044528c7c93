import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {maxDocumentBytes} from '../../source/syntax/index.ts';
import {composeWorkerPrompt, parseSkill, parseSkillList} from '../../source/prompts/index.ts';
import {workerInput} from './inputs.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';

const good =
  '---\nname: write-docs\ndescription: For pages in docs.\nlicense: MIT\nmetadata:\n  author: me\nallowed-tools: Read Write\n---\n\n# Pages\n\nWrite short sentences.\n';

test('a skill is its name, when to use it, and what to do; fields of other tools are left alone', () => {
  const skill = {
    name: 'write-docs',
    description: 'For pages in docs.',
    body: '# Pages\n\nWrite short sentences.',
  };
  assert.deepEqual(parseSkill(good, 'write-docs'), {value: skill, problems: []});
  assert.deepEqual(parseSkill(good), {value: skill, problems: []});
  assert.deepEqual(parseSkill(`\uFEFF${good.replaceAll('\n', '\r\n')}`), {
    value: skill,
    problems: [],
  });
  assert.deepEqual(parseSkill(new TextEncoder().encode(good)), {value: skill, problems: []});
});

const cases: readonly (readonly [
  name: string,
  text: string,
  value: object | undefined,
  problems: RegExp,
])[] = [
  [
    'nothing',
    '',
    undefined,
    /^1 Expected "name:" and "description:" between two lines of "---" at the top, got none\. Add them\.\n1 name: is missing.* Until then it is called "folder"\.\n1 description: .*\n1 Expected words below/,
  ],
  [
    'no front',
    '# Just words\n',
    {name: 'folder', description: '', body: '# Just words'},
    /^1 Expected "name:".*\n1 name: is missing.*\n1 description: expected when to use it, in a sentence, got nothing/,
  ],
  [
    'a front without an end',
    '---\nname: a\nwords',
    {name: 'folder', description: '', body: '---\nname: a\nwords'},
    /^1 Expected "name:"/,
  ],
  [
    'another name than its folder',
    '---\nname: other\ndescription: d\n---\nx',
    {name: 'other', description: 'd', body: 'x'},
    /^2 name: expected "folder" like its folder, got "other"\. Rename one of them\.$/,
  ],
  [
    'a name in capitals',
    '---\ndescription: d\nname: Write Docs\n---\nx',
    {name: 'folder', description: 'd', body: 'x'},
    /^3 name: expected small letters, .*, got "Write Docs"\. Change it\. Until then it is called "folder"\.$/,
  ],
  [
    'a name that is a list',
    '---\nname: [a]\ndescription: d\n---\nx',
    {name: 'folder', description: 'd', body: 'x'},
    /^2 name: expected small letters, .*, got a list/,
  ],
  [
    'no description',
    '---\nname: folder\n---\nx',
    {name: 'folder', description: '', body: 'x'},
    /^1 description: expected when to use it, in a sentence, got nothing\. Add it/,
  ],
  [
    'a long description',
    `---\nname: folder\ndescription: ${'d'.repeat(1025)}\n---\nx`,
    {name: 'folder', description: `${'d'.repeat(1024)}…`, body: 'x'},
    /^3 description: expected at most 1024 characters, got 1025/,
  ],
  [
    'no words',
    '---\nname: folder\ndescription: d\n---\n\n',
    undefined,
    /^5 Expected words below the second "---", got none\. Say what to do\. Until then the skill is left out\.$/,
  ],
  [
    'no YAML',
    '---\nname: "a\n---\nx',
    {name: 'folder', description: '', body: 'x'},
    /\d Expected YAML/,
  ],
  [
    'a front that is a list',
    '---\n- a\n---\nx',
    {name: 'folder', description: '', body: 'x'},
    /^1 name: is missing.*\n1 description: .*\n2 Expected fields, each as "name: value", got a list/,
  ],
  [
    'hidden characters',
    '---\nname: folder\ndescription: d\n---\nDo \u202Eit.',
    {name: 'folder', description: 'd', body: 'Do \\u{202e}it.'},
    /^5 Expected visible text, got hidden characters/,
  ],
  [
    'far too many words',
    `---\nname: folder\ndescription: d\n---\n${'word '.repeat(6000)}`,
    {name: 'folder', description: 'd', body: 'word '.repeat(6000).trim()},
    /^5 Expected at most 5000 tokens, got \d+, which no prompt has room for/,
  ],
  ['more than 256 kB', 'x'.repeat(maxDocumentBytes + 1), undefined, /^1 Expected at most 256 kB/],
];

describe('is read with its problems:', () => {
  for (const [name, text, value, problems] of cases) {
    test(name, () => {
      const reading = parseSkill(text, 'folder');
      assert.deepEqual(reading.value, value);
      assert.match(
        reading.problems.map(({line, text: text}) => `${line} ${text}`).join('\n'),
        problems,
      );
    });
  }
});

test('without a name and a usable folder there is no skill', () => {
  assert.equal(parseSkill('words').value, undefined);
  assert.equal(parseSkill('words', 'My Folder').value, undefined);
  assert.equal(parseSkill('words', '__proto__').value, undefined);
});

test('of two skills with one name the first counts, and the others are read', () => {
  const {skills, problems} = parseSkillList([
    {path: '.orchestra/skills/write-docs/SKILL.md', source: good},
    {path: '.claude/skills/write-docs/SKILL.md', source: good},
    {path: '.claude/skills/empty/SKILL.md', source: ''},
    {path: '.claude/skills/tidy/SKILL.md', source: '---\nname: tidy\ndescription: d\n---\nTidy.'},
  ]);
  assert.deepEqual(
    skills.map(({name, path}) => [name, path]),
    [
      ['write-docs', '.orchestra/skills/write-docs/SKILL.md'],
      ['tidy', '.claude/skills/tidy/SKILL.md'],
    ],
  );
  assert.deepEqual(problems[0], {
    path: '.claude/skills/write-docs/SKILL.md',
    line: 1,
    text: 'name: "write-docs" is taken by .orchestra/skills/write-docs/SKILL.md, which counts. Give this one another name.',
  });
  assert.deepEqual(
    [...new Set(problems.slice(1).map(({path}) => path))],
    ['.claude/skills/empty/SKILL.md'],
  );
});

test('at most 200 skills are read', () => {
  const files = Array.from({length: 201}, (_, index) => ({
    path: `s/k${index}/SKILL.md`,
    source: `---\nname: k${index}\ndescription: d\n---\nx`,
  }));
  const {skills, problems} = parseSkillList(files);
  assert.equal(skills.length, 200);
  assert.deepEqual(problems, [
    {
      path: 's/k200/SKILL.md',
      line: 1,
      text: 'Expected at most 200 skills, got 201. This one and those after it are left out.',
    },
  ]);
});

test('a skill stands at the end of the prompt, to be followed', () => {
  const {value: skill} = parseSkill(good);
  const {text} = composeWorkerPrompt({...workerInput, skill: skill!});
  assert.ok(
    text.endsWith(
      '# Skill: write-docs\n\nFollow it where the rules and the task leave you free.\n\n# Pages\n\nWrite short sentences.\n',
    ),
  );
});

test('4,000 texts are read as skills; problems have lines inside of the text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '---\n',
      '---',
      'name: a\n',
      'name: ',
      'description: d\n',
      '\n',
      'x',
      '- ',
      '*a',
      '{',
      '"',
      '\u202E',
      '\u0000',
      '\uD800',
    ),
    fc.string({maxLength: 5, unit: 'binary'}),
  );
  fc.assert(
    fc.property(fc.array(piece, {maxLength: 15}), (pieces) => {
      const text = pieces.join('');
      const {value, problems} = parseSkill(text, 'folder');
      for (const {line} of problems)
        assert.ok(
          line >= 1 && line <= text.split(/\r\n?|\n/).length,
          `${line} of ${JSON.stringify(text)}`,
        );
      assert.doesNotMatch(
        JSON.stringify(value ?? {}),
        /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\uFEFF]|\p{Surrogate}/u,
      );
    }),
    {numRuns: scaled(4000)},
  );
});
