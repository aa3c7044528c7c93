import {
  describeDiscard,
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
  formatIntent,
  formatSetupOccasion,
  withoutUnknownTool,
} from './describe-reason.ts';
import {describeDelivery, describeHold} from './describe-message.ts';
import {pluralize, sanitizeText} from '../../shared/index.ts';
import type {Event, EventOf, EventType} from '../../domain/index.ts';
import {decisionLabels} from '../baseline.ts';
import {formatBudget} from '../explain/format-need.ts';

/** An event as one sanitised line for a person. */
export function describeEvent(event: Event): string {
  const describe = sentences[event.type] as (event: Event) => string;
  return sanitizeText(describe(event).replaceAll(/\s+/g, ' '));
}

const sentences: {readonly [Type in EventType]: (event: EventOf<Type>) => string} = {
  'daemon-started': ({build}) => `orchestra ${build} started`,
  'daemon-stopping': () => 'orchestra stopped; sessions go on',
  'project-read': ({project}) =>
    `project read: ${pluralize(project.services.length, 'service')}, ` +
    `${pluralize(project.limits.workers, 'worker')} at once`,
  'journal-truncated': ({bytes, kept}) =>
    `the journal ended in ${pluralize(bytes, 'torn byte')}; saved as ${kept}`,
  'disk-full': () => 'the disk is full; nothing new starts',
  'effect-begun': ({effect}) => `starts ${effect}`,
  'trouble-met': ({owner, why}) => `${owner} is blocked: ${describeTrouble(why)}`,
  'note-added': ({on, text}) => `note on ${on}: ${text}`,
  'intrusion-refused': ({session, intent, words}) =>
    `${words ?? session} tried to ${formatIntent(intent)}; refused: only you can`,
  'command-noted': ({session, intent, words}) =>
    words === undefined
      ? `a request to ${formatIntent(intent)} came from inside ${session}`
      : `a request to ${formatIntent(intent)} may not have come from you: ${words}`,
  'intrusion-seen': ({number}) => `you saw notice ${number}`,

  'run-created': ({run, request}) => `${run} was requested: ${request.objective}`,
  'queue-moved': ({run, position}) => `${run} moved to place ${position} in the queue`,
  'run-opened': ({run}) => `${run} starts`,
  'run-surveyed': ({run, ground}) =>
    `${run} starts from ${ground.base.slice(0, 12)} with ` +
    `${pluralize(ground.rules.rules.length, 'rule')} and ` +
    `${pluralize(ground.rules.checks.length, 'check')}${ground.notes === undefined ? '' : `; ${pluralize(ground.notes.length, 'note')} about the repository`}`,
  'rules-changed': ({run}) => `the rules of ${run} changed`,
  'base-moved': ({run, base}) => `the base of ${run} moved to ${base.slice(0, 12)}`,
  'run-held': ({run, reason}) => `you stopped ${run}${because(reason)}`,
  'run-resumed': ({run}) => `you resumed ${run}`,
  'run-parked': ({run, why}) => `${run} is paused for safety: ${describeParking(why)}`,
  'budget-exhausted': ({run, ...exhausted}) =>
    `${run} reached its budget: ${formatBudget(exhausted)}`,
  'budget-extended': ({run}) => `you raised the budget of ${run}`,
  'environment-refreshed': ({run, changed}) =>
    `you refreshed the environment of ${run}: ` +
    `${changed.length === 0 ? 'nothing changed' : `${changed.join(', ')} changed`}; new ` +
    'sessions get it',
  'branch-moved': (event) => `${event.run}: ${describeMoved(event)}`,
  'branch-adopted': ({run, commit}) =>
    `${run} continues from ${commit.slice(0, 12)}, which you took over`,
  'branch-restore-asked': ({run, commit}) =>
    `you asked to restore the branch of ${run}; ${commit.slice(0, 12)} is kept`,
  'branch-restored': ({run, kept}) =>
    `the branch of ${run} is restored${kept === null ? '' : `; the other commits are kept in ${kept}`}`,
  'accept-asked': ({run, commit}) => `you accepted ${run} at ${commit.slice(0, 12)}`,
  'accept-refused': ({run, why}) => `${run} could not be accepted: ${why}`,
  'run-accepted': ({run, commit, way, into, signed, already}) =>
    `${run} is in ${into ?? 'your branch'}${already === true ? ' already' : ''}: ` +
    `${commit.slice(0, 12)}${way === undefined ? '' : ` (${way})`}${signed === true ? ', signed' : ''}`,
  'undo-asked': ({what}) => `the last decision about ${what} is being undone`,
  'undo-refused': ({what, why}) => `the decision about ${what} could not be undone: ${why}`,
  'accept-undone': ({run, into, commit}) =>
    `${into} is back at ${commit.slice(0, 12)}; ${run} waits to be accepted again`,
  'run-restored': ({run}) => `${run} is back; it stays stopped until it is resumed`,
  'run-discarded': ({run}) => `${run} was discarded`,
  'summary-written': ({run, task, path}) => `summary of ${task ?? run}: ${path}`,
  'worktree-made': ({owner, path}) => `worktree of ${owner}: ${path}`,
  'worktree-renewed': ({owner, commit}) =>
    `the change of ${owner} was rebased onto ${commit.slice(0, 10)}`,
  'worktree-set-up': ({owner}) => `the worktree of ${owner} is set up`,
  'worktree-tidied': ({owner}) => `the worktree of ${owner} can be removed`,
  'worktree-removed': ({owner, kept}) =>
    `the worktree of ${owner} was removed${kept === null ? '' : `; its work is kept in ${kept}`}`,
  'worktree-vanished': ({owner}) => `somebody removed the worktree of ${owner}`,

  'planning-started': ({run, round, because: text}) =>
    `${run} is being planned${round === 1 ? '' : ' again'}${because(text?.reason)}`,
  'planning-interrupted': ({run, words}) =>
    `the planner of ${run} was interrupted${words === undefined ? '' : `: ${words}`}`,
  'plan-received': ({run, plan, replaces}) =>
    replaces === undefined
      ? `the plan of ${run} is ready: ${pluralize(plan.tasks.length, 'task')}`
      : `the planner of ${run} handed in another plan, with ${pluralize(plan.tasks.length, 'task')}; ` +
        `it replaces ${replaces.slice(0, 12)}`,
  'check-asked': ({task}) => `you asked for the checks of ${task}`,
  'done-reported': ({session}) => `the agent of ${session} said that it is done`,
  'plan-made': ({run}) => `${run} was opened without a plan: one task`,
  'plan-invalid': ({run, problems}) =>
    `the plan of ${run} is not valid: ${problems[0] ?? 'no reason given'}`,
  'planner-waiting': ({run}) => `the planner of ${run} answered and waits for you`,
  'planner-continued': ({run, session, round}) =>
    `${session} continues with round ${round} of the plan of ${run}, in the same conversation`,
  'plan-asked-again': ({run}) => `the planner of ${run} is asked for a corrected plan`,
  'planner-wrote': ({run, paths}) =>
    `the planner of ${run} changed files, so its plan does not count: ${paths.join(', ')}`,
  'planner-failed': ({run, words}) => `the planner of ${run} failed: ${words}`,
  'planning-failed': ({run, why}) => `planning of ${run} failed: ${describePlanFailure(why)}`,
  'planning-retried': ({run, reason}) => `you asked for a new plan of ${run}${because(reason)}`,
  'plan-commented': ({run, line, text}) => `comment on line ${line} of the plan of ${run}: ${text}`,
  'plan-edited': ({run, hash}) => `you edited the plan of ${run}: ${hash.slice(0, 12)}`,
  'plan-rejected': ({run, reason}) => `you rejected the plan of ${run}${because(reason)}`,
  'rejection-withdrawn': ({run}) =>
    `you took the rejection back; the plan of ${run} waits for approval`,
  'plan-approved': ({run, client, plan}) =>
    `${client} approved the plan of ${run}: ${plan.slice(0, 12)}`,
  'approval-voided': ({run, why}) =>
    `the approval of ${run} is void: ${why === 'plan-changed' ? 'the plan changed' : 'the rules changed'}`,

  'task-begun': ({task}) => `${task} starts`,
  'baseline-recalled': ({run, results}) =>
    results.length === 0
      ? `nothing is known yet about the base of ${run}`
      : `known from an earlier run about the base of ${run}: ` +
        results.map(({check, outcome}) => `${check.name} ${outcome}`).join(', '),
  'baseline-checked': ({run, result: {check, outcome, firstFailure = ''}}) =>
    `${check.name} ${outcome} on the base of ` +
    `${run}${outcome === 'passed' ? '' : `: ${withoutUnknownTool(firstFailure).slice(0, 200)}`}`,
  'baseline-interrupted': ({run, session}) => `${session} on the base of ${run} was interrupted`,
  'baseline-failed': ({run, why}) =>
    `the base of ${run} could not be checked: ${describeBaselineFailure(why)}`,
  'baseline-chosen': ({run, check, choice}) =>
    `${check.name} failed on the base of ${run}; you decided: ${decisionLabels[choice]}`,
  'baseline-asked-again': ({run, check}) =>
    `${check ?? 'every failed check'} runs again on the base of ${run}`,

  'setup-passed': ({task, on}) => `${task} is set up${formatSetupOccasion(on)}`,
  'attempt-started': ({task, attempt, repairs, hint}) =>
    `${task} starts try ` +
    `${attempt}${repairs === undefined ? '' : `, to repair: ${describeFailure(repairs)}`}${because(hint)}`,
  'attempt-continued': ({task, attempt}) => `${task} try ${attempt} continues`,
  'attempt-interrupted': ({task, attempt, words}) =>
    `${task} try ${attempt} was interrupted and does not count${words === undefined ? '' : `: ${words}`}`,
  'attempt-paused': ({task, words}) => `${task} waits for its agent: ${words}`,
  'pause-ended': ({task, by}) =>
    by === 'person'
      ? `you ended the wait of ${task} for its agent`
      : `the wait of ${task} for its agent is over`,
  'attempt-reopened': ({task}) => `you wrote to the agent of ${task}; it works again`,
  'agent-replaced': ({task, from, to, words}) =>
    `${to} goes on with ${task}, because ${from} is unavailable: ${words}`,
  'agent-finished': ({task}) => `the agent of ${task} is done`,
  'agent-gave-up': ({task, words}) => `the agent of ${task} gave up: ${words}`,
  'agent-failed': ({task, words}) => `the agent of ${task} failed: ${words}`,
  'change-captured': ({task, change}) =>
    `${task} changed ${pluralize(change.files.length, 'file')}`,
  'change-judged': ({task, judgement}) =>
    `${task}: ${pluralize(judgement.outside.length, 'file')} outside the plan, ` +
    `${pluralize(judgement.rules.filter(({verdict}) => verdict === 'broken').length, 'rule')} ` +
    'broken',
  'check-finished': ({task, on, result}) =>
    `${task} ${result.check.name} ${result.outcome}${on === 'merge' ? ' after merging' : ''}`,
  'change-validated': ({task}) => `${task} passed its checks`,
  'change-committed': ({task, commit}) => `${task} committed as ${commit.slice(0, 12)}`,
  'attempt-failed': ({task, attempt, failure}) =>
    `${task} try ${attempt} failed: ${describeFailure(failure)}`,
  'task-stopped': ({task, why}) => `${task} stopped: ${describeStop(why)}`,
  'attempt-granted': ({task, hint}) =>
    `you granted ${task} a try${hint === undefined ? '' : `: ${hint}`}`,
  'task-taken-over': ({task}) => `you took over ${task}`,
  'task-handed-back': ({task, to, attempt, note}) =>
    to === 'agent'
      ? `you handed ${task} back to its agent, which continues try ${attempt}${because(note)}`
      : `you handed ${task} back; its checks run`,
  'task-reset': ({task}) => `you restarted the agent of ${task} with a fresh context`,
  'message-asked': ({task, text, session}) =>
    `you sent ${task} a message${session === undefined ? ' for its next prompt' : ''}: ${text}`,
  'message-delivered': ({task, number, session, how}) =>
    `message ${number} to ${task} was delivered: ${describeDelivery(how, session)}`,
  'message-held': ({task, number, why}) =>
    `message ${number} to ${task} waits: ${describeHold(why)}`,
  'message-queued': ({task, number, why}) =>
    `message ${number} to ${task} is queued for its next prompt: ${why}`,
  'message-failed': ({task, number, why}) =>
    `message ${number} to ${task} was not delivered: ${why}`,
  'task-held': ({task, reason}) => `you stopped ${task}${because(reason)}`,
  'task-resumed': ({task}) => `you resumed ${task}`,
  'task-restored': ({task}) => `${task} is back, with its branch and worktree`,
  'task-discarded': ({task, why}) => `${task} was discarded${describeDiscard(why)}`,
  'variant-picked': ({task, commit}) => `you picked ${task}: ${commit.slice(0, 12)}`,

  'merge-begun': ({task}) => `the merge of ${task} into the run's branch starts`,
  'merge-built': ({task, candidate}) => `${task} merges cleanly: ${candidate.slice(0, 12)}`,
  'merge-conflicted': ({task, paths}) => `${task} conflicts in ${paths.join(', ')}`,
  'merge-outdated': ({task}) => `${task}: the run's branch moved; merging again`,
  'merge-validated': ({task}) => `${task} passed its checks after merging`,
  'merge-refused': ({task, failure}) => `${task} failed after merging: ${describeFailure(failure)}`,
  'task-merged': ({task, commit}) => `${task} is merged: ${commit.slice(0, 12)}`,

  'session-asked': ({session, purpose}) => `${session}: ${describePurpose(purpose)}`,
  'session-created': ({session}) => `${session} is ready`,
  'session-running': ({session}) => `${session} runs`,
  'session-exited': ({session, code, signal}) =>
    `${session} ended: ${signal ?? `exit ${code ?? 'unknown'}`}`,
  'session-lost': ({session, why}) => `${session} was lost: ${why}`,
  'session-stop-asked': ({session}) => `${session} is being stopped`,
  'session-unstoppable': ({session, words}) => `${session} does not end: ${words}`,
  'session-waiting': ({session, secret, question, source, idle}) =>
    idle === true
      ? `${session} is at its prompt: ${question}`
      : `${session} waits for ` +
        `${secret ? 'a secret' : 'an answer'}${source === undefined ? '' : `, ${formatAskSource(source)}`}: ` +
        question,
  'session-moved-on': ({session}) => `${session} continues`,
  'input-asked': ({session, text, prompt}) =>
    `${prompt === undefined ? 'input' : 'prompt'} for ${session}: ${JSON.stringify(text)}`,
  'input-typed': ({session}) => `${session} got its input`,
  'input-uncertain': ({session, why}) =>
    `${session}: ${why ?? 'it is unknown whether the input was typed'}`,
  'secret-typed': ({session, length}) =>
    `a secret of ${length} characters was typed into ${session}`,
  'usage-counted': ({session, usage, isPartial}) =>
    `${session} has used ${usage.input + usage.output} tokens${isPartial === true ? ' so far' : ''}`,
  'retry-noticed': ({session, at, ...retry}) =>
    `${session}: the service of its agent fails: ${describeRetry(retry, at)}`,
  'retry-ended': ({session}) => `${session}: the service of its agent answers again`,
  'loop-noticed': ({session, kind, evidence, times}) =>
    `${session}: ${describeLoop({loop: kind, evidence, times})}`,
  'loop-seen': ({session, number}) => `you let ${session} go on after loop ${number}`,
  'turn-began': ({session, by}) =>
    by === 'person'
      ? `you wrote to the agent in ${session}`
      : `the agent in ${session} got its prompt`,
  'turn-ended': ({session, source, error}) =>
    `the agent in ${session} ended its turn` +
    `${source === 'screen' ? ' (inferred from its screen)' : ''}${error === undefined ? '' : `: ${error}`}`,
  'session-continued': ({session, task, attempt}) =>
    `${session} continues with try ${attempt} of ${task}, in the same conversation`,
  'input-held': ({session}) => `${session} has unfinished text of yours; its prompt waits`,
  'conversation-known': ({session}) => `${session} can be resumed`,
  'conversation-lost': ({session, words}) =>
    `${session} could not be resumed and starts over; this costs no try: ${words}`,
  'tool-called': ({session, tool, words, isError}) =>
    `${session} called ${tool}${words === '' ? '' : `: ${words}`}${isError === true ? '; it got an error' : ''}`,
  'network-refused': ({session, host, port, why, times}) =>
    `${session} was denied ${describeNetworkRefusal({host, port, why})}${times > 1 ? `, ${times} times so far` : ''}`,
  'question-asked': ({session, question, options}) =>
    `${session} asks: ` +
    `${question}${options === undefined ? '' : ` (${options.map((option, index) => `${index + 1} ${option}`).join(', ')})`}`,
  'question-answered': ({session, text}) => `${session} got your answer: ${text}`,

  'service-declared': ({spec}) => `service ${spec.name}: ${spec.command}`,
  'service-wanted': ({service, by}) => `${service} starts for ${by === 'person' ? 'you' : by}`,
  'service-stopped': ({service, by}) => `${service} was stopped by ${by ?? 'you'}`,
  'service-restarted': ({service}) => `you restarted ${service}`,
  'service-observed': ({service, condition}) => `${service} is ${condition}`,
  'port-taken': ({service, owner}) => `${owner} uses the port of ${service}`,
  'service-went-down': ({service}) => `${service} is down`,
  'service-backed-off': ({service}) => `${service} died; it restarts after a pause`,
  'service-failed': ({service, why}) => `${service} failed: ${describeServiceFailure(why)}`,
};

function because(reason: string | undefined): string {
  // A plan that was rejected with comments on its lines may have no other reason.
  return reason === undefined || reason === '' ? '' : ` (${reason})`;
}
