import {acceptWays, type AcceptWay, type Project, type SignWish} from '../../domain/index.ts';
import type {WordExpected} from './read-values.ts';

export const agentName: WordExpected<string> = {
  expectation: 'the name of an agent (small letters, digits and "-", at most 40)',
  isMeant: (word): word is string => /^[a-z0-9][a-z0-9-]{0,39}$/.test(word),
};

/** It becomes an argument of the agent's program, so it must not look like an option. */
export const modelName: WordExpected<string> = {
  expectation: 'the name of a model (letters, digits and . : / @ _ -)',
  isMeant: (word): word is string => /^[A-Za-z0-9][\w.:/@-]{0,199}$/.test(word),
};

export const sandboxWish: WordExpected<NonNullable<Project['sandbox']>> = {
  expectation: 'auto, required or off',
  isMeant: (word) => word === 'auto' || word === 'required' || word === 'off',
};

/** A branch that git can make everywhere: no dots, no capitals, nothing that a shell or a file system reads in its own way. */
export const branchPrefix: WordExpected<string> = {
  expectation:
    'what branches begin with, like orchestra or team/orchestra (small letters, digits and "-", at most 40, up to three of them)',
  isMeant: (word): word is string =>
    /^[a-z0-9][a-z0-9-]{0,39}(?:\/[a-z0-9][a-z0-9-]{0,39}){0,2}$/.test(word),
};

export const acceptWay: WordExpected<AcceptWay> = {
  expectation: acceptWays.join(', ').replace(/, (?=[^,]*$)/, ' or '),
  isMeant: (word): word is AcceptWay => (acceptWays as readonly string[]).includes(word),
};

export const signWish: WordExpected<SignWish> = {
  expectation: 'accept or never',
  isMeant: (word) => word === 'accept' || word === 'never',
};
