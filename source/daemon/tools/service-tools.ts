import {fitOutput, formatServiceStatus, plainOutputOf} from '../../documents/index.ts';
import {entriesOf} from '../../base/index.ts';
import {
  serviceNameFor,
  serviceOf,
  worktreeOwnerOf,
  type Service,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import {readOutput} from '../perform/read-output.ts';
import {pauseFor} from '../pause-for.ts';
import {fieldOf, textOf} from './read-input.ts';
import type {Tool, ToolCall, ToolShop} from './tool.ts';

const limits = {logBytes: 64 * 1024, logCharacters: 6000, lines: 200, usualLines: 40, name: 60};
const lookEveryMs = 100;
/** A service that is not up by then is told as it is. */
const mostWaitMs = 20_000;

/** Declared services alone: what to start is the project's to say, not an agent's. */
export function serviceTools({workshop, conductor, waitMs, signal}: ToolShop): {
  readonly service_start: Tool;
  readonly service_stop: Tool;
  readonly service_status: Tool;
  readonly service_logs: Tool;
} {
  const statusOf = (name: string): string =>
    formatServiceStatus(
      workshop.state().services.filter(({spec}) => spec.name === name),
      workshop.now(),
    );
  /** By the name that the plan has for it, an agent means its task's own. */
  const nameFor = (session: Session, name: string): string => {
    const owner = worktreeOwnerOf(session);
    return owner === undefined ? name : serviceNameFor(workshop.state(), name, owner);
  };
  /** Those that all share, and the task's own in place of what they are made from. */
  const servicesFor = (session: Session): readonly Service[] => {
    const owner = worktreeOwnerOf(session);
    const all = workshop.state().services;
    return all.filter(
      ({spec}) =>
        (spec.owner === undefined || spec.owner === owner) &&
        !(
          spec.per === 'task' &&
          all.some((other) => other.spec.of === spec.name && other.spec.owner === owner)
        ),
    );
  };
  const tell = async (
    {session, input}: ToolCall,
    want: 'up' | 'down',
    isThere: (service: Service | undefined) => boolean,
  ): Promise<{readonly text: string}> => {
    const service = nameFor(session, textOf(input, 'service', limits.name));
    const {refused} = await conductor.submit({
      type: 'report',
      at: workshop.now(),
      saw: {type: 'service-told', session: session.id, service, want},
    });
    if (refused !== undefined) throw new Error(refused);
    for (
      const end = workshop.now() + Math.min(mostWaitMs, waitMs);
      workshop.now() < end && !signal.aborted && !isThere(serviceOf(workshop.state(), service));
    )
      await pauseFor(lookEveryMs, signal);
    return {text: statusOf(service)};
  };

  return {
    service_start: (call) =>
      tell(
        call,
        'up',
        (service) =>
          service === undefined ||
          service.stage.at === 'failed' ||
          service.stage.at === 'foreign-port' ||
          (service.stage.at === 'up' && service.stage.condition === 'ready'),
      ),
    service_stop: (call) => {
      const before = sessionOfService(
        workshop,
        nameFor(call.session, textOf(call.input, 'service', limits.name)),
      );
      // The task's own comes back by itself, as another process.
      return tell(
        call,
        'down',
        (service) =>
          service?.stage.at === 'down' ||
          (service?.stage.at === 'up' &&
            service.stage.session !== before &&
            service.stage.condition === 'ready'),
      );
    },
    service_status: ({session, input}) => {
      const asked = fieldOf(input, 'service', 'text', limits.name);
      if (asked === undefined)
        return {text: formatServiceStatus(servicesFor(session), workshop.now())};
      const name = nameFor(session, asked);
      if (!servicesFor(session).some(({spec}) => spec.name === name))
        throw new Error(`there is no service ${JSON.stringify(name)}`);
      return {text: statusOf(name)};
    },
    service_logs: ({session: caller, input}) => {
      const name = nameFor(caller, textOf(input, 'service', limits.name));
      if (!servicesFor(caller).some(({spec}) => spec.name === name))
        throw new Error(`there is no service ${JSON.stringify(name)}`);
      const lines = Math.min(
        limits.lines,
        Math.max(1, fieldOf(input, 'lines', 'count') ?? limits.usualLines),
      );
      const session = sessionOfService(workshop, name);
      if (session === undefined) return {text: `${name} has not run yet.`};
      const text = plainOutputOf(readOutput(workshop, session, limits.logBytes))
        .trimEnd()
        .split('\n')
        .slice(-lines)
        .join('\n');
      return {
        text: text === '' ? `${name} has printed nothing.` : fitOutput(text, limits.logCharacters),
      };
    },
  };
}

/** The one that runs, or that ran last. */
function sessionOfService({state}: ToolShop['workshop'], name: string): SessionId | undefined {
  return entriesOf(state().sessions).findLast(
    ({purpose}) => purpose.for === 'service' && purpose.service === name,
  )?.id;
}
