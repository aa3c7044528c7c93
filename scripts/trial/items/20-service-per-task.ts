import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** Each task has a service of its own, at a port of its own block. */
export const servicePerTask: Item = {
  number: 20, title: 'a service per task has a port of the task\'s block',
  async attempt({stage, onBase, layOut, run}) {
    const project = stage.read('.orchestra/project.yaml');
    const serve = 'node -e "require(\'node:http\').createServer((_, answer) => answer.end(process.cwd())).listen(process.env.PORT, \'127.0.0.1\')"';
    await onBase({'.orchestra/project.yaml': `services:\n  web: {command: ${JSON.stringify(serve)}, per: task}\n${project}`}, async () => {
      layOut([{id: 't1', services: ['web']}, {id: 't2', services: ['web']}]);
      const {code, out} = await run('--approve');
      assert.equal(code, 0, out);
    });
  },
};
