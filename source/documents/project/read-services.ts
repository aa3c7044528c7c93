import {needsPort, type ServiceSpec} from '../../domain/index.ts';
import {type Report, pathInto, readEntries, readFields} from './read-fields.ts';
import {readReady} from './read-ready.ts';
import {readCommand, readNumber} from './read-values.ts';
import {type YamlEntry, type YamlMapping, describeYaml} from './yaml-value.ts';

/** The services that can be started as they are written, in the order of the file. */
export function readServices(mapping: YamlMapping, report: Report): ServiceSpec[] {
  const owners = new Map<number, string>();
  return readEntries(mapping, 'services', report).flatMap((entry) => {
    const spec = readService(entry, report);
    if (spec?.port === undefined) return spec ?? [];

    const owner = owners.get(spec.port);
    if (owner !== undefined) {
      report(
        entry.line,
        `services.${spec.name}: port ${spec.port} belongs to the service "${owner}" already. Give it another. ${untilThen}`,
      );
      return [];
    }

    owners.set(spec.port, spec.name);
    return spec;
  });
}

const serviceName = /^[a-z0-9][a-z0-9-]{0,39}$/;
const untilThen = 'Until then the service is left out.';

/** Half a service is none: without its port or its readiness it would seem to be something that it is not. */
function readService({key: name, line, value}: YamlEntry, report: Report): ServiceSpec | undefined {
  const path = pathInto('services', name);
  const refuse: Report = (at, text) => {
    report(at, `${text} ${untilThen}`);
  };

  if (!serviceName.test(name)) {
    refuse(
      line,
      `${path}: expected a name of small letters, digits and "-", at most 40, that does not begin with "-". Change it.`,
    );
    return undefined;
  }

  if (value.is === 'text') {
    const command = readCommand(value, path, refuse);
    return command === undefined ? undefined : {name, command};
  }

  if (value.is === 'mapping')
    return readFullService({name, path, line, mapping: value}, report, refuse);
  refuse(
    line,
    `${path}: expected a command, or fields with "command:", got ${describeYaml(value)}. Change it.`,
  );
  return undefined;
}

type FullService = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly mapping: YamlMapping;
};

function readFullService(
  {name, path, line, mapping}: FullService,
  report: Report,
  refuse: Report,
): ServiceSpec | undefined {
  const fields = readFields(mapping, path, {known: ['command', 'port', 'ready', 'per']}, report);
  const [commandField, portField, readyField, perField] = [
    fields.get('command'),
    fields.get('port'),
    fields.get('ready'),
    fields.get('per'),
  ];
  const isPerTask = perField?.is === 'text' && perField.text === 'task';
  if (perField !== undefined && !isPerTask) {
    refuse(
      perField.line,
      `${path}.per: expected "task", got ${describeYaml(perField)}. Leave it out for one that all tasks share.`,
    );
    return undefined;
  }

  if (isPerTask && portField !== undefined) {
    refuse(
      portField.line,
      `${path}.port: each task has its own port for it. Leave it out, and use $PORT in the command.`,
    );
    return undefined;
  }

  if (commandField === undefined)
    refuse(line, `${path}.command: is missing. Add the command that starts the service.`);

  const command = commandField && readCommand(commandField, `${path}.command`, refuse);
  const port = portField && readNumber(portField, `${path}.port`, {least: 1, most: 65_535}, refuse);
  const ready =
    readyField &&
    readReady(readyField, {
      path: `${path}.ready`,
      hasPort: portField !== undefined || isPerTask,
      report,
      refuse,
    });
  if (
    command === undefined ||
    (portField && port === undefined) ||
    (readyField && ready === undefined)
  )
    return undefined;

  const hasPort = port !== undefined || (isPerTask && needsPort({command}));
  const proof = ready ?? (hasPort ? {by: 'port' as const} : undefined);
  return {
    name,
    command,
    ...(isPerTask && {per: 'task' as const}),
    ...(port !== undefined && {port}),
    ...(proof !== undefined && {ready: proof}),
  };
}
