import {fitOutput, formatServiceStatus, plainOutputOf} from '../../documents/index.ts';
import {entriesOf} from '../../base/index.ts';
import {serviceOf, type Service, type SessionId} from '../../domain/index.ts';
import {readOutput} from '../perform/read-output.ts';
import {pauseFor} from '../pause-for.ts';
import {fieldOf, textOf} from './read-input.ts';
import type {Tool, ToolCall, ToolShop} from './tool.ts';

const limits = {logBytes: 64 * 1024, logCharacters: 6000, lines: 200, usualLines: 40, name: 60};
const lookEveryMs = 100;
/** A service that is not up by then is told as it is. */
const mostWaitMs = 20_000;

/** Declared services alone: what to start is the project's to say, not an agent's. */
export function serviceTools({workshop, conductor, waitMs, signal}: ToolShop): {readonly service_start: Tool; readonly service_stop: Tool; readonly service_status: Tool; readonly service_logs: Tool} {
  const statusOf = (name: string): string => formatServiceStatus(workshop.state().services.filter(({spec}) => spec.name === name), workshop.now());
  const tell = async ({session, input}: ToolCall, want: 'up' | 'down', isThere: (service: Service | undefined) => boolean): Promise<{readonly text: string}> => {
    const service = textOf(input, 'service', limits.name);
    const {refused} = await conductor.submit({type: 'report', at: workshop.now(), saw: {type: 'service-told', session: session.id, service, want}});
    if (refused !== undefined) throw new Error(refused);
    for (const end = workshop.now() + Math.min(mostWaitMs, waitMs); workshop.now() < end && !signal.aborted && !isThere(serviceOf(workshop.state(), service));) await pauseFor(lookEveryMs, signal);
    return {text: statusOf(service)};
  };

  return {
    service_start: (call) => tell(call, 'up', (service) => service === undefined || service.stage.at === 'failed' || service.stage.at === 'foreign-port' || (service.stage.at === 'up' && service.stage.condition === 'ready')),
    service_stop: (call) => tell(call, 'down', (service) => service?.stage.at === 'down'),
    service_status: ({input}) => {
      const name = fieldOf(input, 'service', 'text', limits.name);
      if (name === undefined) return {text: formatServiceStatus(workshop.state().services, workshop.now())};
      if (serviceOf(workshop.state(), name) === undefined) throw new Error(`there is no service ${JSON.stringify(name)}`);
      return {text: statusOf(name)};
    },
    service_logs: ({input}) => {
      const name = textOf(input, 'service', limits.name);
      if (serviceOf(workshop.state(), name) === undefined) throw new Error(`there is no service ${JSON.stringify(name)}`);
      const lines = Math.min(limits.lines, Math.max(1, fieldOf(input, 'lines', 'count') ?? limits.usualLines));
      const session = sessionOfService(workshop, name);
      if (session === undefined) return {text: `${name} has not run yet.`};
      const text = plainOutputOf(readOutput(workshop, session, limits.logBytes)).trimEnd().split('\n').slice(-lines).join('\n');
      return {text: text === '' ? `${name} has printed nothing.` : fitOutput(text, limits.logCharacters)};
    },
  };
}

/** The one that runs, or that ran last. */
function sessionOfService({state}: ToolShop['workshop'], name: string): SessionId | undefined {
  return entriesOf(state().sessions).findLast(({purpose}) => purpose.for === 'service' && purpose.service === name)?.id;
}
