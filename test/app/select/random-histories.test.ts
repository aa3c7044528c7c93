import {test} from 'node:test';
import {
  emptyState,
  type Event,
  evolve,
  selectRuns,
  type State,
} from '../../../source/domain/index.ts';
import {
  buildAcceptedCard,
  buildBriefView,
  buildStopReport,
  buildTimelineChart,
  buildTimelineRows,
  formatAcceptedMarkdown,
  selectTicks,
} from '../../../source/reports/index.ts';
import {displayWidth} from '../../../source/shared/index.ts';
import assert from 'node:assert/strict';
import {selectCostView, toPromptsView} from '../../../source/app/select/cost-view.ts';
import {selectNeedsInbox} from '../../../source/app/select/needs-inbox.ts';
import {selectPlanView} from '../../../source/app/select/plan-view.ts';
import {selectAttention, selectRunProgress} from '../../../source/app/select/run-progress.ts';
import {selectTaskRows} from '../../../source/app/select/task-rows.ts';
import {runRandomHistory} from '../../domain/support/random-history.ts';
import {scaled} from '../../support/scale.ts';
import {audit} from '../screens/fixtures.ts';

const histories = scaled(20);

test(`${histories} random histories: no selector throws after any event`, () => {
  for (let seed = 1; seed <= histories; seed++) {
    const {events} = runRandomHistory(seed).harness;
    let state: State = emptyState;
    for (const [index, event] of events.entries()) {
      state = evolve(state, event);
      // Those that read all events are quadratic over a history.
      selectFromState(state);
      if (index % 10 === seed % 10) selectFromEvents(state, events.slice(0, index + 1));
    }

    selectFromEvents(state, events);
  }
});

function selectFromState(state: State): void {
  const now = state.at + 5000;
  selectAttention(state, {now});
  selectNeedsInbox(state, now);
  for (const run of selectRuns(state)) {
    selectRunProgress(state, run);
    selectPlanView(state, run);
    selectCostView(state, run);
    toPromptsView(state, run, audit);
    for (const {words} of selectTaskRows(state, run, now)) assert.ok(displayWidth(words) <= 11);
  }
}

function selectFromEvents(state: State, events: readonly Event[]): void {
  const now = state.at + 5000;
  buildBriefView(state, events, {since: state.at / 2, now});
  for (const run of selectRuns(state)) {
    const chart = buildTimelineChart(state, run, events, now);
    for (const {segments} of [chart.plan, ...chart.tasks])
      for (const [index, {from, to}] of segments.entries()) {
        assert.ok(from <= to && to <= chart.to, `${from} to ${to} of ${chart.to}`);
        assert.ok(index === 0 || segments[index - 1]!.to <= from, 'segments do not overlap');
      }

    assert.ok(selectTicks(chart, 8).length <= 8);
    buildTimelineRows(state, run, events, {all: true});
    for (const {id} of run.tasks) buildStopReport({state, about: id, events});
    const card = buildAcceptedCard(state, run, events);
    if (card !== undefined) formatAcceptedMarkdown(card);
  }
}
