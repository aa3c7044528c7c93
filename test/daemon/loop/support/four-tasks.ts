import {freePort} from '../../../machine/support/free-port.ts';
import {openStage, type Stage} from './stage.ts';

/**
 * A run in which every kind of effect comes up: t1 is red first, t2 is put off by its agent's service and needs a service of
 * the project, t3 conflicts with t2, t4 builds on t1 and asks a question.
 */
export async function openFourTasks(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const port = await freePort();
  return openStage({
    env,
    project: `limits:\n  workers: 4\nservices:\n  till:\n    command: exec node server.js ${port}\n    port: ${port}\n`,
    files: {'server.js': 'require("node:net").createServer().listen(Number(process.argv[2]), "127.0.0.1");\n'},
    tasks: [{id: 't1'}, {id: 't2', files: ['base.txt'], services: ['till']}, {id: 't3', files: ['base.txt']}, {id: 't4', after: ['t1']}],
    acts: {
      t1: 'exec sh "$PRETEND/fail-once.sh"',
      t2: 'if [ -e "$HOME/t2-put-off" ]; then echo two > base.txt; else touch "$HOME/t2-put-off"; printf \'{"at":"unavailable","words":"later","until":%s}\' "$(( ($(date +%s) + 2) * 1000 ))" > "$2"; exit 1; fi',
      t3: 'while [ ! -e "$HOME/t2-merged" ]; do sleep 0.05; done; if grep -q "<<<<<<<" base.txt; then printf "two\\nthree\\n" > base.txt; else echo three > base.txt; fi',
      t4: 'exec sh "$PRETEND/ask.sh"',
    },
  });
}
