import type {Fact, Proof} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import {findOwners} from './find-owners.ts';
import {findPort, type Found} from './find-port.ts';
import type {Loopback} from './open-connection.ts';
import {answerOf, type PortAnswer} from './port-answer.ts';
import {probeTcp} from './probe-tcp.ts';
import {readListeners} from './read-listeners.ts';
import {type SessionRoot, surveySessions} from './survey-sessions.ts';

export type PortOptions = {
  /** How long a process may take to accept a connection before it counts as hung. */
  readonly acceptWithinMs?: number;
};

/** Servers come and go while we look: what does not fit together is looked at again, this often at most and after such a pause. */
const mostLooks = 4;
const pauseMs = 20;

/**
 * Whether one of the sessions serves at this port, as the kernel has it now. It connects to a session's own server,
 * which sees a connection that is closed at once; for a question that must not be felt there is `portsOf`.
 */
export async function explainPort(
  port: number,
  sessions: readonly SessionRoot[],
  kernel: Kernel,
  {acceptWithinMs = 1000}: PortOptions = {},
): Promise<PortAnswer> {
  const at = kernel.now();
  for (let looks = 1; ; looks += 1) {
    const found = await lookAtPort(port, sessions, kernel, acceptWithinMs);
    if ('unknown' in found)
      return answerOf(
        port,
        [{state: 'unknown'}],
        [{source: found.source, text: found.unknown}],
        at,
      );
    const isSettled = found.value.every((one) => one.isSettled);
    if (isSettled || looks === mostLooks) {
      return answerOf(
        port,
        found.value.map(({finding}) => finding),
        found.value.flatMap(({proof}) => proof),
        at,
      );
    }

    await new Promise((resolve) => setTimeout(resolve, pauseMs * looks));
  }
}

async function lookAtPort(
  port: number,
  sessions: readonly SessionRoot[],
  kernel: Kernel,
  acceptWithinMs: number,
): Promise<Fact<readonly Found[]>> {
  const [listeners, survey] = await Promise.all([
    readListeners(kernel),
    surveySessions(sessions, kernel),
  ]);
  if ('unknown' in listeners) return listeners;
  if ('unknown' in survey) return survey;
  const here = listeners.value.filter((listener) => listener.port === port);
  if (here.length === 0)
    return {...listeners, value: [await findNobody(port, listeners.source, acceptWithinMs)]};
  const {owned, hidden} = await findOwners(here, survey.value, kernel);
  const scene = {survey: survey.value, hidden, acceptWithinMs};
  return {...listeners, value: await Promise.all(owned.map((one) => findPort(one, scene, kernel)))};
}

/** Who answers without a socket here is out of sight: another user's on macOS, Windows under WSL, a forwarded port. Or has only just come. */
async function findNobody(port: number, source: string, timeoutMs: number): Promise<Found> {
  const hosts: readonly Loopback[] = ['127.0.0.1', '::1'];
  const probes = await Promise.all(
    hosts.map(async (host) => ({host, outcome: await probeTcp({host, port, timeoutMs})})),
  );
  const answered = probes.find(({outcome}) => outcome.at === 'connected');
  const proof: Proof[] = [
    {source, text: `nobody listens on ${port}`},
    ...probes.map(({host, outcome}) => ({
      source: 'connect',
      text: `${host}:${port} ${outcome.at}`,
    })),
  ];
  if (answered === undefined) return {finding: {state: 'free'}, proof, isSettled: true};
  return {finding: {state: 'foreign', address: answered.host}, proof, isSettled: false};
}
