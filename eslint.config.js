import eslint from '@eslint/js';
import {defineConfig} from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  {ignores: ['dist/', 'node_modules/', 'test/fixtures/']},
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {parserOptions: {projectService: true, tsconfigRootDir: import.meta.dirname}},
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', {allowNumber: true}],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        {considerDefaultExhaustiveForUnions: true},
      ],
      // Control characters are our daily bread: terminals, NUL bytes, torn files.
      'no-control-regex': 'off',
      'no-nested-ternary': 'error',
      'no-else-return': ['error', {allowElseIf: false}],
      'no-restricted-syntax': [
        'error',
        {selector: 'ExportDefaultDeclaration', message: 'Named exports only.'},
        {
          selector: 'ClassDeclaration:not([superClass.name=/Error$/])',
          message: 'Plain functions and plain data; no classes but errors.',
        },
      ],
      'max-lines': ['error', {max: 350, skipBlankLines: true, skipComments: true}],
    },
  },
  {
    files: ['test/**/*.ts', 'test/**/*.tsx', 'scripts/**/*.ts'],
    rules: {
      // node:test returns promises that the runner itself awaits.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {from: 'package', name: ['test', 'describe', 'it'], package: 'node:test'},
          ],
        },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Tables of cases are long, and belong to the source file that they test.
      'max-lines': ['error', {max: 850, skipBlankLines: true, skipComments: true}],
      'no-restricted-imports': [
        'error',
        {name: 'fast-check', message: 'Take `fc` from test/support/property.ts: it has the seed.'},
      ],
    },
  },
  {files: ['test/support/property.ts'], rules: {'no-restricted-imports': 'off'}},
);
