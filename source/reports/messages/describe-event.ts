import {
  describeBaselineFailure,
  describeFailure,
  describeLoop,
  describeMoved,
  describeNetworkRefusal,
  describeParking,
  describePlanFailure,
  describePurpose,
  describeRetry,
  describeServiceFailure,
  describeStop,
  describeTrouble,
  formatAskSource,
  formatSetupOccasion,
} from './describe-reason.ts';
import {pluralize, sanitizeText} from '../../shared/index.ts';
import type {Event, EventOf, EventType} from '../../domain/index.ts';
import {decisionLabels} from '../baseline.ts';

/** An event as one sanitised line for a person. */
export function describeEvent(event: Event): string {
  const describe = sentences[event.type] as (event: Event) => string;
  return sanitizeText(describe(event).replaceAll(/\s+/g, ' '));
}

const sentences: {readonly [Type in EventType]: (event: EventOf<Type>) => string} = {
  'daemon-started': ({build}) => `orchestra ${build} started`,
  'daemon-stopping': () => 'orchestra stopped; sessions go on',
  'project-read': ({project}) =>
    `project read: ${pluralize(project.services.length, 'service')}, ${pluralize(project.limits.workers, 'worker')} at once`,
  'journal-truncated': ({bytes, kept}) =>
    `the journal ended in ${pluralize(bytes, 'torn byte')}; kept as ${kept}`,
  'disk-full': () => 'the disk is full; nothing new is started',
  'effect-begun': ({effect}) => `begins ${effect}`,
  'trouble-met': ({owner, why}) => `${owner} is in trouble: ${describeTrouble(why)}`,
  'note-added': ({on, text}) => `note on ${on}: ${text}`,
  'intrusion-refused': ({session, intent, words}) =>
    `${words ?? session} tried to ${intent}, which only a person may; refused`,
  'command-noted': ({session, intent, words}) =>
    words === undefined
      ? `${intent} was asked for from inside of ${session}`
      : `${intent} was asked for, and it is not certain that it was you: ${words}`,
  'intrusion-seen': ({number}) => `notice ${number} was seen`,

  'run-created': ({run, request}) => `${run} asked for: ${request.objective}`,
  'queue-moved': ({run, position}) => `${run} moved to place ${position} in the queue`,
  'run-opened': ({run}) => `${run} begins`,
  'run-surveyed': ({run, ground}) =>
    `${run} stands on ${ground.base.slice(0, 12)} with ${pluralize(ground.rules.rules.length, 'rule')} and ${pluralize(ground.rules.checks.length, 'check')}${ground.notes === undefined ? '' : `; ${pluralize(ground.notes.length, 'note')} about the repository`}`,
  'rules-changed': ({run}) => `the rules of ${run} changed`,
  'base-moved': ({run, base}) => `the base of ${run} moved to ${base.slice(0, 12)}`,
  'run-held': ({run, reason}) => `${run} was stopped by a person${because(reason)}`,
  'run-resumed': ({run}) => `${run} goes on`,
  'run-parked': ({run, why}) => `${run} is set aside: ${describeParking(why)}`,
  'budget-exhausted': ({run, budget, used, limit}) =>
    `${run} has used up its ${budget} budget: ${used} of ${limit}`,
  'budget-extended': ({run}) => `the budget of ${run} was extended`,
  'environment-refreshed': ({run, changed}) =>
    `the environment of ${run} was renewed: ${changed.length === 0 ? 'nothing differs' : `${changed.join(', ')} changed`}; sessions that begin from now on get it`,
  'branch-moved': (event) => `${event.run}: ${describeMoved(event)}`,
  'branch-adopted': ({run, commit}) =>
    `${run} goes on from ${commit.slice(0, 12)}, which you took over`,
  'branch-restore-asked': ({run, commit}) =>
    `the branch of ${run} is put back; ${commit.slice(0, 12)} is kept`,
  'branch-restored': ({run, kept}) =>
    `the branch of ${run} is where ${run} left it${kept === null ? '' : `; what was there is kept in ${kept}`}`,
  'accept-asked': ({run, commit}) =>
    `${run} is accepted at ${commit.slice(0, 12)}; bringing it home`,
  'accept-refused': ({run, why}) => `${run} could not be brought home: ${why}`,
  'run-accepted': ({run, commit, way, into, signed, already}) =>
    `${run} is in ${into ?? 'your branch'}${already === true ? ' already' : ''}: ${commit.slice(0, 12)}${way === undefined ? '' : ` (${way})`}${signed === true ? ', signed' : ''}`,
  'run-discarded': ({run}) => `${run} was discarded`,
  'summary-written': ({run, task, path}) => `summary of ${task ?? run}: ${path}`,
  'worktree-made': ({owner, path}) => `worktree of ${owner}: ${path}`,
  'worktree-renewed': ({owner, commit}) =>
    `the work of ${owner} was laid over ${commit.slice(0, 10)}`,
  'worktree-set-up': ({owner}) => `the worktree ${owner} is set up`,
  'worktree-tidied': ({owner}) => `the worktree of ${owner} may go`,
  'worktree-removed': ({owner, kept}) =>
    `the worktree of ${owner} is gone${kept === null ? '' : `; its work is kept in ${kept}`}`,
  'worktree-vanished': ({owner}) => `somebody removed the worktree of ${owner}`,

  'planning-started': ({run, round, because: text}) =>
    `${run} is being planned, round ${round}${because(text?.reason)}`,
  'planning-interrupted': ({run, words}) =>
    `the planner of ${run} was cut short${words === undefined ? '' : `: ${words}`}`,
  'plan-received': ({run, plan}) =>
    `${run} has a plan of ${pluralize(plan.tasks.length, 'task')}; it waits for approval`,
  'plan-invalid': ({run, problems}) =>
    `the plan of ${run} is not valid: ${problems[0] ?? 'no reason given'}`,
  'plan-asked-again': ({run}) => `${run}: the plan is asked for once more, with its problems named`,
  'planner-wrote': ({run, paths}) =>
    `the planner of ${run} changed files and is not believed: ${paths.join(', ')}`,
  'planner-failed': ({run, words}) => `the planner of ${run} failed: ${words}`,
  'planning-failed': ({run, why}) => `${run} has no plan: ${describePlanFailure(why)}`,
  'planning-retried': ({run, reason}) => `${run} is to be planned again${because(reason)}`,
  'plan-commented': ({run, line, text}) => `comment on line ${line} of the plan of ${run}: ${text}`,
  'plan-edited': ({run, hash}) => `the plan of ${run} was edited: ${hash.slice(0, 12)}`,
  'plan-rejected': ({run, reason}) => `the plan of ${run} was rejected${because(reason)}`,
  'plan-approved': ({run, client, plan}) =>
    `${client} approved the plan of ${run}: ${plan.slice(0, 12)}`,
  'approval-voided': ({run, why}) =>
    `the approval of ${run} is void: ${why === 'plan-changed' ? 'the plan changed' : 'the rules changed'}`,

  'task-begun': ({task}) => `${task} begins`,
  'baseline-recalled': ({run, results}) =>
    results.length === 0
      ? `nothing is known yet about the base of ${run}`
      : `known from an earlier run about the base of ${run}: ${results.map(({check, outcome}) => `${check.name} ${outcome}`).join(', ')}`,
  'baseline-checked': ({run, result: {check, outcome, firstFailure = ''}}) =>
    `${check.name} ${outcome} on the base of ${run}${outcome === 'passed' ? '' : `: ${firstFailure.replace(/^unknown\n/, '').slice(0, 200)}`}`,
  'baseline-interrupted': ({run, session}) => `${session} on the base of ${run} was cut short`,
  'baseline-failed': ({run, why}) =>
    `the base of ${run} could not be checked: ${describeBaselineFailure(why)}`,
  'baseline-chosen': ({run, check, choice}) =>
    `${check.name} is red on the base of ${run}; you decided: ${decisionLabels[choice]}`,
  'baseline-asked-again': ({run, check}) =>
    `${check ?? 'what is red'} is checked again on the base of ${run}`,

  'setup-passed': ({task, on}) => `${task} is set up${formatSetupOccasion(on)}`,
  'attempt-started': ({task, attempt, repairs, hint}) =>
    `${task} attempt ${attempt}${repairs === undefined ? '' : `, to repair: ${describeFailure(repairs)}`}${because(hint)}`,
  'attempt-continued': ({task, attempt}) => `${task} attempt ${attempt} goes on`,
  'attempt-interrupted': ({task, attempt, words}) =>
    `${task} attempt ${attempt} was cut short; that costs no try${words === undefined ? '' : `: ${words}`}`,
  'attempt-paused': ({task, words}) => `${task} waits for its agent: ${words}`,
  'pause-ended': ({task, by}) =>
    by === 'person'
      ? `${task} tries its agent now, at your word`
      : `${task} has waited long enough`,
  'agent-finished': ({task}) => `the agent of ${task} is done`,
  'agent-gave-up': ({task, words}) => `the agent of ${task} gave up: ${words}`,
  'agent-failed': ({task, words}) => `the agent of ${task} failed: ${words}`,
  'change-captured': ({task, change}) =>
    `${task} changed ${pluralize(change.files.length, 'file')}`,
  'change-judged': ({task, judgement}) =>
    `${task}: ${pluralize(judgement.outside.length, 'file')} outside the plan, ${pluralize(judgement.rules.filter(({verdict}) => verdict === 'broken').length, 'rule')} broken`,
  'check-finished': ({task, on, result}) =>
    `${task} ${result.check.name} ${result.outcome}${on === 'merge' ? ' after merging' : ''}`,
  'change-validated': ({task}) => `${task} is green`,
  'change-committed': ({task, commit}) => `${task} committed as ${commit.slice(0, 12)}`,
  'attempt-failed': ({task, attempt, failure}) =>
    `${task} attempt ${attempt} is red: ${describeFailure(failure)}`,
  'task-stopped': ({task, why}) => `${task} stopped: ${describeStop(why)}`,
  'attempt-granted': ({task, hint}) => `${task} is granted one more attempt${because(hint)}`,
  'task-taken-over': ({task}) => `${task} was taken over by a person`,
  'task-handed-back': ({task, to, attempt, note}) =>
    to === 'agent'
      ? `${task} was handed back to its agent, which goes on with attempt ${attempt}${because(note)}`
      : `${task} was handed back and is validated`,
  'task-reset': ({task}) => `${task} gets a fresh agent`,
  'task-held': ({task, reason}) => `${task} was stopped by a person${because(reason)}`,
  'task-resumed': ({task}) => `${task} goes on`,
  'task-discarded': ({task, why}) =>
    `${task} was discarded${why.kind === 'needs' ? `: it needs ${why.task}` : ''}`,

  'merge-begun': ({task}) => `${task} is merged into the run's branch`,
  'merge-built': ({task, candidate}) => `${task} merges cleanly: ${candidate.slice(0, 12)}`,
  'merge-conflicted': ({task, paths}) => `${task} conflicts in ${paths.join(', ')}`,
  'merge-outdated': ({task}) => `${task}: the run's head moved on; merging again`,
  'merge-validated': ({task}) => `${task} is green beside the others`,
  'merge-refused': ({task, failure}) =>
    `${task} is red beside the others: ${describeFailure(failure)}`,
  'task-merged': ({task, commit}) => `${task} is merged: ${commit.slice(0, 12)}`,

  'session-asked': ({session, purpose}) => `${session}: ${describePurpose(purpose)}`,
  'session-created': ({session}) => `${session} is ready to go`,
  'session-running': ({session}) => `${session} runs`,
  'session-exited': ({session, code, signal}) =>
    `${session} ended: ${signal ?? `exit ${code ?? 'unknown'}`}`,
  'session-lost': ({session, why}) => `${session} was lost: ${why}`,
  'session-stop-asked': ({session}) => `${session} is being stopped`,
  'session-unstoppable': ({session, words}) => `${session} does not end: ${words}`,
  'session-waiting': ({session, secret, question, source, idle}) =>
    idle === true
      ? `${session} is at its prompt: ${question}`
      : `${session} waits for ${secret ? 'a secret' : 'an answer'}${source === undefined ? '' : `, ${formatAskSource(source)}`}: ${question}`,
  'session-moved-on': ({session}) => `${session} goes on`,
  'input-asked': ({session, text, prompt}) =>
    `${prompt === undefined ? 'typed' : 'to be typed as a prompt'} for ${session}: ${JSON.stringify(text)}`,
  'input-typed': ({session}) => `${session} has its input`,
  'input-uncertain': ({session, why}) =>
    `${session}: ${why ?? 'nobody can say whether the input was typed'}`,
  'secret-typed': ({session, length}) =>
    `a secret of ${length} characters was typed into ${session}`,
  'usage-counted': ({session, usage, isPartial}) =>
    `${session} has used ${usage.input + usage.output} tokens${isPartial === true ? ' so far' : ''}`,
  'retry-noticed': ({session, at, ...retry}) =>
    `${session}: the service of its agent fails; ${describeRetry(retry, at)}`,
  'retry-ended': ({session}) => `${session}: the service of its agent answers again`,
  'loop-noticed': ({session, kind, evidence, times}) =>
    `${session}: ${describeLoop({loop: kind, evidence, times})}`,
  'loop-seen': ({session, number}) => `${session} goes on; you have seen sign ${number}`,
  'conversation-known': ({session}) => `${session} can be resumed`,
  'conversation-lost': ({session, words}) =>
    `${session} could not be resumed and begins anew; that costs no try: ${words}`,
  'tool-called': ({session, tool, words, isError}) =>
    `${session} called ${tool}${words === '' ? '' : `: ${words}`}${isError === true ? '; it got an error' : ''}`,
  'network-refused': ({session, host, port, why, times}) =>
    `${session} was refused ${describeNetworkRefusal({host, port, why})}${times > 1 ? `, ${times} times by then` : ''}`,
  'question-asked': ({session, question, options}) =>
    `${session} asks you: ${question}${options === undefined ? '' : ` (${options.map((option, index) => `${index + 1} ${option}`).join(', ')})`}`,
  'question-answered': ({session, text}) => `${session} got your answer: ${text}`,

  'service-declared': ({spec}) => `service ${spec.name}: ${spec.command}`,
  'service-wanted': ({service, by}) => `${service} is started for ${by === 'person' ? 'you' : by}`,
  'service-stopped': ({service, by}) => `${service} was stopped by ${by ?? 'a person'}`,
  'service-restarted': ({service}) => `${service} is restarted`,
  'service-observed': ({service, condition}) => `${service} is ${condition}`,
  'port-taken': ({service, owner}) => `the port of ${service} belongs to ${owner}`,
  'service-went-down': ({service}) => `${service} is down`,
  'service-backed-off': ({service}) => `${service} died and is started again after a pause`,
  'service-failed': ({service, why}) => `${service} failed: ${describeServiceFailure(why)}`,
};

function because(reason: string | undefined): string {
  // A plan that was rejected with comments on its lines may have no other reason.
  return reason === undefined || reason === '' ? '' : ` (${reason})`;
}
