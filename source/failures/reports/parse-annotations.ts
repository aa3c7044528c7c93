import {type Diagnostic, type CheckReport, toDiagnosticReport} from './check-report.ts';
import {toCodePlace} from './json-value.ts';

/** GitHub's annotations: `::error file=a.ts,line=1,col=2,title=…::message`. */
export function parseAnnotations(text: string): CheckReport | undefined {
  const diagnostics: Diagnostic[] = [];
  let isReport = false;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const kind = annotationStart.exec(text.slice(start, start + 40))?.[1];
    if (kind !== undefined) {
      isReport = true;
      if (kind !== 'notice' && diagnostics.length < maxAnnotations)
        diagnostics.push(
          ...toAnnotation(text.slice(start, Math.min(end, start + maxLength)), kind),
        );
    }

    start = end + 1;
  }

  return isReport
    ? toDiagnosticReport(diagnostics, diagnostics.length < maxAnnotations)
    : undefined;
}

const maxAnnotations = 20_000;
const maxLength = 64 * 1024;
const annotationStart = /^\s{0,8}::(error|warning|notice)(?: |::)/;

function toAnnotation(line: string, kind: string): Diagnostic[] {
  const from = line.indexOf(kind) + kind.length;
  const separator = line.indexOf('::', from);
  if (separator === -1) return [];
  const properties = new Map(
    line
      .slice(from, separator)
      .split(',')
      .slice(0, 20)
      .map((part): [string, string] => {
        const equals = part.indexOf('=');
        return [part.slice(0, equals).trim(), decodeProperty(part.slice(equals + 1).trim())];
      }),
  );
  const title = properties.get('title') ?? '';
  const message = decodeMessage(line.slice(separator + 2).trimEnd());
  return [
    {
      tool: 'annotation',
      ...(title !== '' && {test: title}),
      message,
      ...toCodePlace(
        properties.get('file') ?? '',
        toNumber(properties.get('line')),
        toNumber(properties.get('col')),
      ),
      isError: kind === 'error',
    },
  ];
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

function decodeMessage(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

function decodeProperty(text: string): string {
  return decodeMessage(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
}
