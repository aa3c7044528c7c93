import {Buffer} from 'node:buffer';
import {
  liveSessionsOf,
  serviceOf,
  sessionOf,
  type ServiceCondition,
  type ServiceSpec,
  type SessionId,
} from '../../domain/index.ts';
import {readLog} from '../../keeper/index.ts';
import {explainPort, portsOf, probeHttp, type PortAnswer} from '../../machine/index.ts';
import type {Perform} from '../conductor.ts';
import {pauseFor} from '../pause-for.ts';
import {rootsOf} from '../session-report.ts';
import type {Workshop} from '../workshop.ts';

const usualRhythm = {starting: 200, ready: 2000};
/** A server feels a connection, and its log may show it; between two of them the kernel's list of listeners is enough. */
const connectEveryMs = 30_000;
/** Each change is written down. One that changes again and again is looked at less and less often, so that it does not fill the journal. */
const restless = {after: 4, mostMs: 30_000};
const probeMs = 2000;

/** How much of the output is searched for the line that says ready. */
const logBytes = 256 * 1024;
const longestLine = 2000;

/** Looks at the service as long as it is up, and tells when something changed. A line in a log alone never proves a port. */
export function watchService(workshop: Workshop, rhythm = usualRhythm): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'watch-service') return;
    const {service: name, session} = effect;
    let connectedAt = Number.NEGATIVE_INFINITY;
    let address: string | undefined;
    let changes = 0;
    while (!signal.aborted) {
      const service = serviceOf(workshop.state(), name);
      if (service?.stage.at !== 'up') return;
      const {
        spec,
        stage: {condition},
      } = service;
      const isFresh =
        condition === 'ready' && Math.abs(workshop.now() - connectedAt) < connectEveryMs;
      const isHeld = isFresh && (await holdsPort(workshop, spec, session));
      const port = isHeld ? undefined : await askPort(workshop, spec);
      if (port?.state === 'foreign') {
        await report({type: 'port-taken', service: name, owner: describeOwner(port)});
        return;
      }

      const isOurs = isHeld || (port?.verdict === 'yes' && port.session === session);
      if (port !== undefined) {
        connectedAt = isOurs ? workshop.now() : Number.NEGATIVE_INFINITY;
        ({address} = port);
      }

      const next = await conditionOf(workshop, spec, session, {isOurs, address}, condition);
      if (next !== condition)
        await report({type: 'service-observed', service: name, condition: next});
      changes = next === condition ? Math.max(0, changes - 1) : changes + 1;
      await pauseFor(
        Math.min(
          restless.mostMs,
          (next === 'ready' ? rhythm.ready : rhythm.starting) *
            2 ** Math.max(0, changes - restless.after),
        ),
        signal,
      );
    }
  };
}

async function askPort(workshop: Workshop, {port}: ServiceSpec): Promise<PortAnswer | undefined> {
  if (port === undefined) return undefined;
  return explainPort(port, rootsOf(workshop, liveSessionsOf(workshop.state())), workshop.kernel);
}

/** Whether the session still listens there. Nobody is connected to. */
async function holdsPort(workshop: Workshop, {port}: ServiceSpec, id: SessionId): Promise<boolean> {
  const session = sessionOf(workshop.state(), id);
  if (session === undefined || port === undefined) return false;
  const held = await portsOf(rootsOf(workshop, [session]), workshop.kernel);
  return 'value' in held && held.value.some(({where}) => 'port' in where && where.port === port);
}

/** Whether the port is served by the service's own session, and where. */
type Standing = {readonly isOurs: boolean; readonly address: string | undefined};

async function conditionOf(
  {store}: Workshop,
  {port, ready}: ServiceSpec,
  session: SessionId,
  {isOurs, address}: Standing,
  before: ServiceCondition,
): Promise<ServiceCondition> {
  const fallen: ServiceCondition =
    before === 'ready' || before === 'unhealthy' ? 'unhealthy' : 'starting';
  if (port !== undefined && !isOurs) return fallen;
  if (ready?.by === 'http' && port !== undefined) {
    const probe = await probeHttp({
      host: address === '::1' ? '::1' : '127.0.0.1',
      port,
      path: ready.path,
      timeoutMs: probeMs,
    });
    return probe.at === 'answered' && probe.status < 500
      ? 'ready'
      : before === 'ready' || before === 'unhealthy'
        ? 'unhealthy'
        : 'listening';
  }

  if (ready?.by === 'log') {
    const pattern = new RegExp(ready.pattern);
    const isSaid = linesOf(store.directoryOf(session)).some((line) => pattern.test(line));
    return isSaid ? 'ready' : port === undefined ? fallen : 'listening';
  }

  return 'ready';
}

/** The lines of the output as a person reads them: without colours, and none so long that a pattern takes for ever. */
function linesOf(directory: string): string[] {
  return readText(directory)
    .replaceAll(/\u001B\[[\d;:]*[A-Za-z]/g, '')
    .split(/\r*\n/)
    .map((line) => line.slice(0, longestLine));
}

function readText(directory: string): string {
  const pieces: Buffer[] = [];
  let size = 0;
  for (const {bytes} of readLog(directory)) {
    pieces.push(bytes);
    size += bytes.length;
    if (size > logBytes) break;
  }

  return Buffer.concat(pieces).toString('utf8');
}

function describeOwner({owner, session}: PortAnswer): string {
  if (owner === undefined) return 'a process of another user';
  return `${session === undefined ? '' : `${session}, `}pid ${owner.identity.pid} (${owner.name})`;
}
