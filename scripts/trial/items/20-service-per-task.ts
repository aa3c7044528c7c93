import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** Each task has a service of its own, in its worktree and at a port of its own block. */
export const servicePerTask: Item = {
  number: 20,
  title: "a service per task answers from the task's own worktree",
  async attempt({stage, onBase, layOut, run}) {
    const project = stage.read('.orchestra/project.yaml');
    const serve =
      "node -e \"require('node:http').createServer((_, answer) => answer.end(process.cwd())).listen(process.env.PORT, '127.0.0.1')\"";
    await onBase(
      {
        '.orchestra/project.yaml': `services:\n  web: {command: ${JSON.stringify(serve)}, per: task, ready: port}\n${project}`,
      },
      async () => {
        await stage.until('the project file is read', ({services}) =>
          services.some(({spec}) => spec.name === 'web'),
        );
        const act =
          'node -e "fetch(process.env.ORCHESTRA_SERVICE_WEB_URL).then((answer) => answer.text()).then((text) => process.exit(text === process.cwd() ? 0 : 1), () => process.exit(2))" || exit 1\nexec sh "$PRETEND/succeed.sh" "$@"';
        layOut(
          [
            {id: 't1', services: ['web']},
            {id: 't2', services: ['web']},
          ],
          {t1: act, t2: act},
        );
        const {code, out} = await run('--approve');
        assert.equal(code, 0, out);
      },
    );
  },
};
