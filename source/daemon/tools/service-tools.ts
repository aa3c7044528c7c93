import {fitOutput, formatServiceStatus} from '../../reports/index.ts';
import {ledgerEntries, toPlainOutput} from '../../shared/index.ts';
import {
  selectService,
  selectWorktreeOwner,
  type Service,
  serviceNameFor,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import {readOutput} from '../sessions/session-screen.ts';
import {pauseFor} from '../engine/pacing.ts';
import {
  parseField,
  parseRequiredText,
  type Tool,
  type ToolContext,
  type ToolInvocation,
} from './tool.ts';

const limits = {logBytes: 64 * 1024, logCharacters: 6000, lines: 200, usualLines: 40, name: 60};
const checkEveryMs = 100;
/** After this time the status is returned, ready or not. */
const maxWaitMs = 20_000;

/** Only for declared services: the project decides what is started, not an agent. */
export function serviceTools({context, conductor, waitMs, signal}: ToolContext): {
  readonly service_start: Tool;
  readonly service_stop: Tool;
  readonly service_status: Tool;
  readonly service_logs: Tool;
} {
  const getStatus = (name: string): string =>
    formatServiceStatus(
      context.state().services.filter(({spec}) => spec.name === name),
      context.now(),
    );
  /** An agent uses the declared name for its task's own instance. */
  const nameFor = (session: Session, name: string): string => {
    const owner = selectWorktreeOwner(session);
    return owner === undefined ? name : serviceNameFor(context.state(), name, owner);
  };
  /** The shared services, and the task's own instances instead of their declarations. */
  const servicesFor = (session: Session): readonly Service[] => {
    const owner = selectWorktreeOwner(session);
    const all = context.state().services;
    return all.filter(
      ({spec}) =>
        (spec.owner === undefined || spec.owner === owner) &&
        !(
          spec.per === 'task' &&
          all.some((other) => other.spec.of === spec.name && other.spec.owner === owner)
        ),
    );
  };
  const changeDesire = async (
    {session, input}: ToolInvocation,
    want: 'up' | 'down',
    isDone: (service: Service | undefined) => boolean,
  ): Promise<{readonly text: string}> => {
    const service = nameFor(session, parseRequiredText(input, 'service', limits.name));
    const {refused} = await conductor.submit({
      type: 'report',
      at: context.now(),
      saw: {type: 'service-told', session: session.id, service, want},
    });
    if (refused !== undefined) throw new Error(refused);
    for (
      const end = context.now() + Math.min(maxWaitMs, waitMs);
      context.now() < end && !signal.aborted && !isDone(selectService(context.state(), service));
    )
      await pauseFor(checkEveryMs, signal);
    return {text: getStatus(service)};
  };

  return {
    service_start: (call) =>
      changeDesire(
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
        context,
        nameFor(call.session, parseRequiredText(call.input, 'service', limits.name)),
      );
      // A task's own service restarts by itself, as another process.
      return changeDesire(
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
      const asked = parseField(input, 'service', 'text', limits.name);
      if (asked === undefined)
        return {text: formatServiceStatus(servicesFor(session), context.now())};
      const name = nameFor(session, asked);
      if (!servicesFor(session).some(({spec}) => spec.name === name))
        throw new Error(`there is no service ${JSON.stringify(name)}`);
      return {text: getStatus(name)};
    },
    service_logs: ({session: caller, input}) => {
      const name = nameFor(caller, parseRequiredText(input, 'service', limits.name));
      if (!servicesFor(caller).some(({spec}) => spec.name === name))
        throw new Error(`there is no service ${JSON.stringify(name)}`);
      const lines = Math.min(
        limits.lines,
        Math.max(1, parseField(input, 'lines', 'count') ?? limits.usualLines),
      );
      const session = sessionOfService(context, name);
      if (session === undefined) return {text: `${name} has not run yet.`};
      const text = toPlainOutput(readOutput(context, session, limits.logBytes))
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

/** The session that runs the service, or ran it last. */
function sessionOfService({state}: ToolContext['context'], name: string): SessionId | undefined {
  return ledgerEntries(state().sessions).findLast(
    ({purpose}) => purpose.for === 'service' && purpose.service === name,
  )?.id;
}
