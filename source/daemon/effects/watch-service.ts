import {Buffer} from 'node:buffer';
import {
  selectLiveSessions,
  selectService,
  selectSession,
  type ServiceCondition,
  type ServiceSpec,
  type SessionId,
} from '../../domain/index.ts';
import {readLog} from '../../keeper/index.ts';
import {explainPort, type PortAnswer, probeHttp, readHeldPorts} from '../../system/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';
import {selectRoots} from '../sessions/session-report.ts';
import type {DaemonClock, KernelAccess, SessionFiles, StateReader} from '../daemon-context.ts';

/** How often a service is checked, in milliseconds. */
const defaultRhythm = {starting: 200, ready: 2000};
/**
 * A server notices each connection and may log it, so in between only the kernel's list of
 * listeners is read.
 */
const connectEveryMs = 30_000;
/** Each change is journaled, so a service that keeps changing is checked less and less often. */
const flapping = {after: 4, maxMs: 30_000};
const probeMs = 2000;

/** How much of the output is searched for the readiness pattern. */
const logBytes = 256 * 1024;
const maxLineLength = 2000;

/**
 * Watches a running service and reports changes of its condition. A log line alone never proves a
 * port.
 */
export function watchService(
  context: StateReader & SessionFiles & DaemonClock & Pick<KernelAccess, 'kernel'>,
  rhythm = defaultRhythm,
): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'watch-service') return;
    const {service: name, session} = effect;
    let connectedAt = Number.NEGATIVE_INFINITY;
    let address: string | undefined;
    let changes = 0;
    while (!signal.aborted) {
      const service = selectService(context.state(), name);
      if (service?.stage.at !== 'up') return;
      const {
        spec,
        stage: {condition},
      } = service;
      const isFresh =
        condition === 'ready' && Math.abs(context.now() - connectedAt) < connectEveryMs;
      const isHeld = isFresh && (await holdsPort(context, spec, session));
      const port = isHeld ? undefined : await askPort(context, spec);
      if (port?.state === 'foreign') {
        await report({type: 'port-taken', service: name, owner: describeOwner(port)});
        return;
      }

      const isOurs = isHeld || (port?.verdict === 'yes' && port.session === session);
      if (port !== undefined) {
        connectedAt = isOurs ? context.now() : Number.NEGATIVE_INFINITY;
        ({address} = port);
      }

      const next = await readCondition(context, spec, session, {isOurs, address}, condition);
      if (next !== condition)
        await report({type: 'service-observed', service: name, condition: next});
      changes = next === condition ? Math.max(0, changes - 1) : changes + 1;
      await pauseFor(
        Math.min(
          flapping.maxMs,
          (next === 'ready' ? rhythm.ready : rhythm.starting) *
            2 ** Math.max(0, changes - flapping.after),
        ),
        signal,
      );
    }
  };
}

async function askPort(
  context: StateReader & SessionFiles & Pick<KernelAccess, 'kernel'>,
  {port}: ServiceSpec,
): Promise<PortAnswer | undefined> {
  if (port === undefined) return undefined;
  return explainPort(
    port,
    selectRoots(context, selectLiveSessions(context.state())),
    context.kernel,
  );
}

/** Whether the session still listens on the port, without connecting to it. */
async function holdsPort(
  context: StateReader & SessionFiles & Pick<KernelAccess, 'kernel'>,
  {port}: ServiceSpec,
  id: SessionId,
): Promise<boolean> {
  const session = selectSession(context.state(), id);
  if (session === undefined || port === undefined) return false;
  const held = await readHeldPorts(selectRoots(context, [session]), context.kernel);
  return 'value' in held && held.value.some(({where}) => 'port' in where && where.port === port);
}

/** Whether the service's own session serves the port, and at which address. */
type PortState = {readonly isOurs: boolean; readonly address: string | undefined};

async function readCondition(
  {store}: SessionFiles,
  {port, ready}: ServiceSpec,
  session: SessionId,
  {isOurs, address}: PortState,
  before: ServiceCondition,
): Promise<ServiceCondition> {
  const wasReady = before === 'ready' || before === 'unhealthy';
  const unproven: ServiceCondition = wasReady ? 'unhealthy' : 'starting';
  if (port !== undefined && !isOurs) return unproven;
  if (ready?.by === 'http' && port !== undefined) {
    const probe = await probeHttp({
      host: address === '::1' ? '::1' : '127.0.0.1',
      port,
      path: ready.path,
      timeoutMs: probeMs,
    });
    if (probe.at === 'answered' && probe.status < 500) return 'ready';
    return wasReady ? 'unhealthy' : 'listening';
  }

  if (ready?.by === 'log') {
    const pattern = new RegExp(ready.pattern);
    const isPrinted = readLogLines(store.directoryOf(session)).some((line) => pattern.test(line));
    if (isPrinted) return 'ready';
    return port === undefined ? unproven : 'listening';
  }

  return 'ready';
}

/** The lines of the output without colours, cut so that a pattern cannot take for ever. */
function readLogLines(directory: string): string[] {
  return readText(directory)
    .replaceAll(/\u001B\[[\d;:]*[A-Za-z]/g, '')
    .split(/\r*\n/)
    .map((line) => line.slice(0, maxLineLength));
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
