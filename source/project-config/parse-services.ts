import {z} from 'zod';
import {needsPort, type Readiness, type ServiceSpec} from '../domain/index.ts';
import {shortName} from '../shared/index.ts';
import {parseEntries, parseMappingFields, pathInto, type ReportProblem} from './fields.ts';
import {expectedGot, parseWithSchema} from './parse-with-schema.ts';
import {commandSchema, httpPathSchema, logPatternSchema, numberSchema} from './schemas.ts';
import {describeYaml, type YamlEntry, type YamlMapping, type YamlValue} from '../syntax/index.ts';

/** The valid services, in the order of the file. */
export function parseServices(mapping: YamlMapping, report: ReportProblem): ServiceSpec[] {
  const owners = new Map<number, string>();
  return parseEntries(mapping, 'services', report).flatMap((entry) => {
    const spec = parseService(entry, report);
    if (spec?.port === undefined) return spec ?? [];

    const owner = owners.get(spec.port);
    if (owner !== undefined) {
      report(
        entry.line,
        `services.${spec.name}: port ${spec.port} already belongs to the service ` +
          `"${owner}". Choose another port. ${untilThen}`,
      );
      return [];
    }

    owners.set(spec.port, spec.name);
    return spec;
  });
}

const untilThen = 'Until then the service is left out.';

/**
 * A service with any invalid field is left out: without its port or readiness it would seem to be
 * something else.
 */
function parseService(
  {key: name, line, value}: YamlEntry,
  report: ReportProblem,
): ServiceSpec | undefined {
  const path = pathInto('services', name);
  const reject: ReportProblem = (at, text) => {
    report(at, `${text} ${untilThen}`);
  };

  if (!shortName.test(name)) {
    reject(
      line,
      `${path}: expected a name of small letters, digits and "-", at most 40, that does not begin with "-". Change it.`,
    );
    return undefined;
  }

  if (value.is === 'text') {
    const command = parseWithSchema(commandSchema, value, path, reject);
    return command === undefined ? undefined : {name, command};
  }

  if (value.is === 'mapping')
    return parseFullService({name, path, line, mapping: value}, report, reject);
  reject(
    line,
    `${path}: expected a command, or fields with "command:", got ${describeYaml(value)}. Change it.`,
  );
  return undefined;
}

const portSchema = numberSchema({least: 1, most: 65_535});
const perSchema = z.literal('task', {
  error: ({input}) =>
    expectedGot('"task"', input, 'Leave it out for a service that all tasks share.'),
});

type FullService = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly mapping: YamlMapping;
};

function parseFullService(
  {name, path, line, mapping}: FullService,
  report: ReportProblem,
  reject: ReportProblem,
): ServiceSpec | undefined {
  const fields = parseMappingFields(
    mapping,
    path,
    {known: ['command', 'port', 'ready', 'per']},
    report,
  );
  const [commandField, portField, readyField, perField] = [
    fields.get('command'),
    fields.get('port'),
    fields.get('ready'),
    fields.get('per'),
  ];
  const per = perField && parseWithSchema(perSchema, perField, `${path}.per`, reject);
  if (perField !== undefined && per === undefined) return undefined;
  const isPerTask = per === 'task';

  if (isPerTask && portField !== undefined) {
    reject(
      portField.line,
      `${path}.port: each task has its own port for it. Leave it out, and use $PORT in the command.`,
    );
    return undefined;
  }

  if (commandField === undefined)
    reject(line, `${path}.command: is missing. Add the command that starts the service.`);

  const command =
    commandField && parseWithSchema(commandSchema, commandField, `${path}.command`, reject);
  const port = portField && parseWithSchema(portSchema, portField, `${path}.port`, reject);
  const ready =
    readyField &&
    parseReady(readyField, {
      path: `${path}.ready`,
      hasPort: portField !== undefined || isPerTask,
      report,
      reject,
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

export type ReadyContext = {
  readonly path: string;
  /** Whether the service has a port, which `port` and `http` need and `log` does not. */
  readonly hasPort: boolean;
  readonly report: ReportProblem;
  readonly reject: ReportProblem;
};

/** `port`, `{http: /path}` or `{log: pattern}`. */
export function parseReady(value: YamlValue, context: ReadyContext): Readiness | undefined {
  const {path, report, reject} = context;
  if (value.is === 'text' && value.text === 'port')
    return needingPort({by: 'port'}, value, context);
  if (value.is !== 'mapping') {
    reject(value.line, `${path}: ${expectation}, got ${describeYaml(value)}. Change it.`);
    return undefined;
  }

  const fields = parseMappingFields(value, path, {known: ['http', 'log']}, report);
  const [http, log] = [fields.get('http'), fields.get('log')];
  if (http !== undefined && log === undefined) return parseHttp(http, context);
  if (log !== undefined && http === undefined) return parseLog(log, context);
  reject(
    value.line,
    `${path}: ${expectation}, got ` +
      `${http === undefined ? 'neither "http" nor "log"' : 'both "http" and "log"'}. Write ` +
      'one of them.',
  );
  return undefined;
}

const expectation = 'expected port, {http: "/path"} or {log: "pattern"}';

function needingPort(
  ready: Readiness,
  {line}: YamlValue,
  {path, hasPort, reject}: ReadyContext,
): Readiness | undefined {
  if (hasPort) return ready;
  reject(line, `${path}: needs the port of the service, but it has none. Add "port:".`);
  return undefined;
}

function parseHttp(value: YamlValue, context: ReadyContext): Readiness | undefined {
  const path = parseWithSchema(httpPathSchema, value, `${context.path}.http`, context.reject);
  return path === undefined ? undefined : needingPort({by: 'http', path}, value, context);
}

function parseLog(value: YamlValue, {path, reject}: ReadyContext): Readiness | undefined {
  const pattern = parseWithSchema(logPatternSchema, value, `${path}.log`, reject);
  return pattern === undefined ? undefined : {by: 'log', pattern};
}
