import {nearest} from '../../base/index.ts';
import {type Report, readEntries} from '../project/read-fields.ts';
import {type YamlEntry, type YamlValue, describeYaml} from '../project/yaml-value.ts';
import {hasAnswer} from './answer.ts';
import type {Step} from './playbook.ts';
import {readStep, stepKinds} from './read-step.ts';

/** The steps of one task, in their order. */
export function readSteps(value: YamlValue, path: string, report: Report): Step[] {
  if (value.is !== 'list') {
    report(
      value.line,
      `${path}: expected a list of steps, each as "- print: words", got ${describeYaml(value)}. Change it.`,
    );
    return [];
  }

  const steps = value.items.flatMap((item, index) => {
    const place = `${path}[${index}]`;
    const entry = entryOf(item, place, report);
    return (entry && readStep(entry, place, report)) ?? [];
  });
  checkAnswers(steps, path, report);
  checkReports(steps, path, report);
  return steps;
}

/** A step does one thing; two fields in one mapping have no order. */
function entryOf(item: YamlValue, path: string, report: Report): YamlEntry | undefined {
  if (item.is !== 'mapping') {
    report(
      item.line,
      `${path}: expected a step, like "print: words", got ${describeYaml(item)}. Change it.`,
    );
    return undefined;
  }

  const [entry, second] = readEntries(item, path, report);
  if (entry === undefined) {
    report(
      item.line,
      `${path}: expected a step, got an empty mapping. Write one of: ${stepKinds.join(', ')}.`,
    );
  } else if (second !== undefined) {
    report(
      second.line,
      `${path}: expected one thing to do, got "${kindOf(entry)}" and "${kindOf(second)}". Make each a step of its own, with "-" before it.`,
    );
    return undefined;
  }

  return entry;
}

function kindOf({key}: YamlEntry): string {
  return stepKinds.find((kind) => kind === key) ?? nearest(key, stepKinds) ?? 'something else';
}

/** An answer must have been asked for: each attempt knows only its own. */
function checkAnswers(steps: readonly Step[], path: string, report: Report): void {
  const asked = steps.findIndex((step) => step.do === 'ask');
  for (const [index, step] of steps.entries()) {
    if ((asked === -1 || index <= asked) && hasAnswer(JSON.stringify(step)))
      report(
        step.line,
        `${path}[${index}]: has \${answer}, but nothing was asked before. Add an "ask:" above, or write $\${answer} for the words themselves.`,
      );
  }
}

function checkReports(steps: readonly Step[], path: string, report: Report): void {
  const reports = [...steps.entries()].filter(([, step]) => step.do === 'report');
  for (const [index, {line}] of reports.slice(1))
    report(line, `${path}[${index}]: a report stands above already. Make them one.`);
}
