import {freePort} from '../../../machine/support/free-port.ts';
import {openStage, type Stage} from './stage.ts';

const server = `require('node:net').createServer((socket) => socket.on('error', () => undefined).end('light')).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listens'));\n`;

/** Every agent writes down that it began, by the name of its session (in the sandbox it can do so in its own directory only), and prints something that must not be lost. */
const begins = `{ echo "$ORCH_SESSION" >> "$HOME/ran"; } 2>/dev/null || echo "$ORCH_SESSION" >> "$TMPDIR/ran"
count=0; while [ $count -lt 100 ]; do count=$((count+1)); echo "line $count of $ORCHESTRA_OWNER"; done
`;

/** Wrong at first, and right when it is told; by what it is told, for it may be stopped and begun anew. */
const redFirst = `${begins}if grep -qi repair "$1"; then echo green > t1.txt; else echo red > t1.txt; fi`;

/**
 * A run in which every kind of effect comes up. t1 is red first; t2 is put off by its agent's service and needs a service of
 * the project; t3 conflicts with t2; t4 builds on t1 and asks a question; t5 commits by itself and talks to the other service;
 * t6 builds on t5 and leaves something running that does not want to end. The person has edits, staged and not.
 */
export async function openSixTasks(): Promise<Stage> {
  const [till, lamp] = [await freePort(), await freePort()];
  return withEdits(
    openStage({
      hasBaseline: true,
      project: `sandbox: ${process.env['ORCHESTRA_SANDBOX'] ?? 'off'}\nlimits:\n  workers: 4\n  pauseSeconds: 1\nservices:\n  till:\n    command: exec node server.js ${till}\n    port: ${till}\n  lamp:\n    command: exec node server.js ${lamp}\n    port: ${lamp}\n`,
      files: {'server.js': server, 'own.txt': 'of the person\n'},
      tasks: [
        {id: 't1'},
        {id: 't2', files: ['base.txt'], services: ['till']},
        {id: 't3', files: ['base.txt']},
        {id: 't4', after: ['t1']},
        {id: 't5', services: ['lamp']},
        {id: 't6', after: ['t5']},
      ],
      acts: {
        t1: redFirst,
        t2: `${begins}if [ -e "$(git rev-parse --git-dir)/put-off" ]; then echo two > base.txt; else printf '{"at":"unavailable","words":"later","until":%s}' "$(( ($(date +%s) + 2) * 1000 ))" > "$2"; touch "$(git rev-parse --git-dir)/put-off"; exit 1; fi`,
        t3: `${begins}while [ ! -e "$HOME/t2-merged" ]; do sleep 0.05; done; if grep -q "<<<<<<<" base.txt; then printf "two\\nthree\\n" > base.txt; else echo three > base.txt; fi`,
        t4: `${begins}exec sh "$PRETEND/ask.sh"`,
        t5: `${begins}node -e "require('node:net').connect(${lamp}, '127.0.0.1').on('error', () => process.exit(1)).pipe(process.stdout)" || exit 1; exec sh "$PRETEND/commit-itself.sh"`,
        t6: `${begins}exec sh "$PRETEND/fork-server.sh"`,
      },
    }),
  );
}

/** The same law with less to wait for: one that is red first and needs a service, and one that builds on it and asks. */
export async function openTwoTasks(): Promise<Stage> {
  const till = await freePort();
  return withEdits(
    openStage({
      hasBaseline: true,
      project: `services:\n  till:\n    command: exec node server.js ${till}\n    port: ${till}\n`,
      files: {'server.js': server, 'own.txt': 'of the person\n'},
      tasks: [
        {id: 't1', services: ['till']},
        {id: 't2', after: ['t1']},
      ],
      acts: {t1: redFirst, t2: `${begins}exec sh "$PRETEND/ask.sh"`},
    }),
  );
}

/** Nothing of a run is in their way, so all of them stay as they are. */
function withEdits(stage: Stage): Stage {
  stage.write('own.txt', 'edited by the person\n');
  stage.write('staged.txt', 'staged by the person\n');
  stage.git('add', 'staged.txt');
  stage.write('scratch.txt', 'not even staged\n');
  return stage;
}
