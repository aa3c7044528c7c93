import {needsPort, type Readiness, type ServiceSpec} from '../domain/index.ts';
import {excerpt, shortName} from '../shared/index.ts';
import {
  parseCommand,
  parseEntries,
  parseFields,
  parseLogPattern,
  parseNumber,
  pathInto,
  type Report,
} from './fields.ts';
import {describeYaml, type YamlEntry, type YamlMapping, type YamlValue} from '../syntax/index.ts';

/** The valid services, in the order of the file. */
export function parseServices(mapping: YamlMapping, report: Report): ServiceSpec[] {
  const owners = new Map<number, string>();
  return parseEntries(mapping, 'services', report).flatMap((entry) => {
    const spec = parseService(entry, report);
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

const untilThen = 'Until then the service is left out.';

/**
 * A service with any invalid field is left out: without its port or readiness it would seem to be
 * something else.
 */
function parseService(
  {key: name, line, value}: YamlEntry,
  report: Report,
): ServiceSpec | undefined {
  const path = pathInto('services', name);
  const reject: Report = (at, text) => {
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
    const command = parseCommand(value, path, reject);
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

type FullService = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly mapping: YamlMapping;
};

function parseFullService(
  {name, path, line, mapping}: FullService,
  report: Report,
  reject: Report,
): ServiceSpec | undefined {
  const fields = parseFields(mapping, path, {known: ['command', 'port', 'ready', 'per']}, report);
  const [commandField, portField, readyField, perField] = [
    fields.get('command'),
    fields.get('port'),
    fields.get('ready'),
    fields.get('per'),
  ];
  const isPerTask = perField?.is === 'text' && perField.text === 'task';
  if (perField !== undefined && !isPerTask) {
    reject(
      perField.line,
      `${path}.per: expected "task", got ${describeYaml(perField)}. Leave it out for one that all tasks share.`,
    );
    return undefined;
  }

  if (isPerTask && portField !== undefined) {
    reject(
      portField.line,
      `${path}.port: each task has its own port for it. Leave it out, and use $PORT in the command.`,
    );
    return undefined;
  }

  if (commandField === undefined)
    reject(line, `${path}.command: is missing. Add the command that starts the service.`);

  const command = commandField && parseCommand(commandField, `${path}.command`, reject);
  const port =
    portField && parseNumber(portField, `${path}.port`, {least: 1, most: 65_535}, reject);
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
  readonly report: Report;
  readonly reject: Report;
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

  const fields = parseFields(value, path, {known: ['http', 'log']}, report);
  const [http, log] = [fields.get('http'), fields.get('log')];
  if (http !== undefined && log === undefined) return parseHttp(http, context);
  if (log !== undefined && http === undefined) return parseLog(log, context);
  reject(
    value.line,
    `${path}: ${expectation}, got ${http === undefined ? 'neither "http" nor "log"' : 'both "http" and "log"'}. Write one of them.`,
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

/**
 * A path that may follow `http://localhost:3000` without changing the host: no `//host`, no
 * backslash (which a URL parser takes for a slash), no blank.
 */
const httpPath = /^\/(?![/\\])[!"$-[\]-~]{0,499}$/;

function parseHttp(value: YamlValue, context: ReadyContext): Readiness | undefined {
  if (value.is === 'text' && httpPath.test(value.text))
    return needingPort({by: 'http', path: value.text}, value, context);
  context.reject(
    value.line,
    `${context.path}.http: expected a path like "/health" (it begins with one "/", printable ASCII, no blank, "\\" or "#", at most 500 characters), got ${describeYaml(value)}. Change it.`,
  );
  return undefined;
}

function parseLog(value: YamlValue, {path, reject}: ReadyContext): Readiness | undefined {
  if (value.is !== 'text') {
    reject(
      value.line,
      `${path}.log: expected a regular expression, got ${describeYaml(value)}. Put it in single quotes.`,
    );
    return undefined;
  }

  const parsed = parseLogPattern(value.text);
  if ('pattern' in parsed) return {by: 'log', pattern: parsed.pattern};
  reject(value.line, `${path}.log: the pattern "${excerpt(value.text)}" ${parsed.rejected}`);
  return undefined;
}
