import {freePort} from '../../../system/support/free-port.ts';
import {type LoopFixture, openStage} from './loop-fixture.ts';

const server = `require('node:net').createServer((socket) => socket.on('error', () => undefined).end('light')).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listens'));\n`;

/**
 * Every agent records its start under the name of its session, in its own directory because of the
 * sandbox, and prints text that must not be lost.
 */
const begins = `{ echo "$ORCH_SESSION" >> "$HOME/ran"; } 2>/dev/null || echo "$ORCH_SESSION" >> "$TMPDIR/ran"
count=0; while [ $count -lt 100 ]; do count=$((count+1)); echo "line $count of $ORCHESTRA_OWNER"; done
`;

/**
 * Wrong at first, right after the repair prompt. Decided by the prompt, because the agent may be
 * restarted.
 */
const redFirst = `${begins}if grep -qi repair "$1"; then echo green > t1.txt; else echo red > t1.txt; fi`;

/**
 * A run with every kind of effect. t1 fails first; t2 is paused by its agent's service and needs a
 * service of the project; t3 conflicts with t2; t4 builds on t1 and asks a question; t5 commits by
 * itself and uses the other service; t6 builds on t5 and leaves a process that ignores signals. The
 * person has staged and unstaged edits.
 */
export async function openSixTasks(): Promise<LoopFixture> {
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

/**
 * A shorter version: a task that fails first and needs a service, and one that builds on it and
 * asks.
 */
export async function openTwoTasks(): Promise<LoopFixture> {
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

/** The person's edits, which do not conflict with the run and must stay. */
function withEdits(fixture: LoopFixture): LoopFixture {
  fixture.write('own.txt', 'edited by the person\n');
  fixture.write('staged.txt', 'staged by the person\n');
  fixture.git('add', 'staged.txt');
  fixture.write('scratch.txt', 'not even staged\n');
  return fixture;
}
