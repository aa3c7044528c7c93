import type {Event, Plan, Rules, Run} from '../../domain/index.ts';

/** The plan and the rules that a run went by. A run that is over has let go of them; the events still have them. */
export function planOfRun(
  run: Run,
  events: readonly Event[] = [],
): {readonly plan?: Plan; readonly rules?: Rules} {
  const {stage} = run;
  const own = events.filter((event) => 'run' in event && event.run === run.id);
  const plan =
    'proposal' in stage
      ? stage.proposal.plan
      : own.findLast((event) => event.type === 'plan-received' || event.type === 'plan-edited')
          ?.plan;
  const rules = 'ground' in stage ? stage.ground.rules : rulesIn(own);
  return {...(plan !== undefined && {plan}), ...(rules !== undefined && {rules})};
}

function rulesIn(events: readonly Event[]): Rules | undefined {
  const last = events.findLast(
    (event) => event.type === 'run-surveyed' || event.type === 'rules-changed',
  );
  if (last === undefined) return undefined;
  return last.type === 'run-surveyed' ? last.ground.rules : last.rules;
}
