import type {Size} from '../../../source/app/render/frame.ts';
import {type Harness, report} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {makeWorktree, sessionOfTask, validate, work, working} from '../../domain/support/stages.ts';
import {type Fixture, open, press} from './fixtures.ts';

export const variantTitle = 'Share the refresh in flight';

/** Three variants of task 1 by different agents, and a task after it. The last one may be at work. */
export function variants({isLastAtWork = false} = {}): Harness {
  const harness = working(
    [
      plannedTask('t1', {title: variantTitle}),
      plannedTask('t3', {title: variantTitle, variantOf: 't1', agent: 'codex', model: 'gpt-9'}),
      plannedTask('t4', {title: variantTitle, variantOf: 't1', agent: 'opencode'}),
      plannedTask('t2', {title: 'Tell about it', after: ['t1']}),
    ],
    {},
    {limits: {workers: 4, runs: 1}},
  );
  for (const [task, tokens, cost] of [
    ['r1.t1', 41_000, 0.31],
    ['r1.t3', 62_500, undefined],
    ['r1.t4', 18_000, 0.12],
  ] as const) {
    makeWorktree(harness, task);
    report(harness, {
      type: 'usage-counted',
      session: sessionOfTask(harness, task),
      usage: {input: tokens, output: 900, ...(cost === undefined ? {} : {cost})},
    });
  }

  validate(harness, 'r1.t1');
  validate(harness, 'r1.t3');
  if (isLastAtWork) work(harness, 'r1.t4');
  else validate(harness, 'r1.t4');
  return harness;
}

/** The screen with them, as a person comes to it from the need. */
export function atVariants(size: Size = {columns: 120, rows: 35}, harness = variants()): Fixture {
  const fixture = open(harness.state, harness.time, size, undefined, {
    agents: ['claude', 'codex', 'opencode'],
  });
  press(fixture, 'n', 'enter');
  return fixture;
}
