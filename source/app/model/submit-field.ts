import {modelName} from '../../project-config/index.ts';
import {
  isSessionId,
  selectNeeds,
  selectRun,
  type State,
  type UserCommand,
} from '../../domain/index.ts';
import {formatForTask} from '../screens/need-in-brief.ts';
import {confirmAccept} from './confirmations.ts';
import {withModel} from './agent-choice.ts';
import {
  noChange,
  openField,
  type Result,
  withCommands,
  withConfirmation,
  withEffects,
  withNotice,
} from './action.ts';
import {saveComment} from './comment-line.ts';
import type {FieldPurpose, Model, OpenField} from './model.ts';
import {askDaemon} from './open-screen.ts';
import {sendPlanComments} from './comments.ts';
import {startPlanning} from './start-run.ts';

/**
 * Handles the text of a field by its purpose. If the text cannot be used, the field stays open, so
 * that nothing is lost.
 */
export function submitField(
  model: Model,
  field: OpenField,
  state: State,
  now: number,
  {isQueued = false}: {readonly isQueued?: boolean} = {},
): Result {
  const text = field.text.trim();
  const closed: Model = {...model, field: undefined};
  const purpose = field.for;
  const reject = (message: string): Result => noChange(withNotice(model, message, now));
  switch (purpose.what) {
    case 'objective':
      if (text === '') return reject('Say what should be different.');
      return startPlanning(closed, text, isQueued, state, now, reject);
    case 'model':
      if (text !== '' && !modelName.isMeant(text))
        return reject(`Expected ${modelName.expectation}, got ${JSON.stringify(text)}.`);
      return noChange({
        ...withModel(model, purpose.agent, purpose.role, text),
        field: purpose.objective,
      });
    case 'answer':
      // Otherwise it would answer the next question.
      if (!selectNeeds(state).some(({id}) => id === purpose.need))
        return reject('This question is settled already; your answer was not sent.');
      if (purpose.asked !== undefined)
        return text === ''
          ? reject('Write an answer: the agent waits for it.')
          : withCommands(
              withNotice(closed, `${formatForTask(purpose.session, state)} has your answer.`, now),
              {type: 'answer-question', session: purpose.session, number: purpose.asked, text},
            );
      return withCommands(
        withNotice(closed, `Sent to ${formatForTask(purpose.session, state)}.`, now),
        {
          type: 'send-input',
          session: purpose.session,
          text: `${field.text}\r`,
        },
      );
    case 'secret':
      if (!selectNeeds(state).some(({id}) => id === purpose.need))
        return reject('Nobody asks for it any more. It was not sent.');
      if (model.views[purpose.session]?.connection === 'failed')
        return reject('Its terminal is not connected. Nothing was sent.');
      return withEffects(withNotice(closed, 'Sent to the program alone.', now), {
        type: 'type-text',
        session: purpose.session,
        text: field.text,
      });
    case 'hint':
      return withCommands(closed, {
        type: 'grant-attempt',
        task: purpose.task,
        ...(text === '' ? {} : {hint: text}),
      });
    case 'hand-to-agent':
      return withCommands(closed, {
        type: 'hand-back',
        task: purpose.task,
        to: 'agent',
        ...(text === '' ? {} : {note: text}),
      });
    case 'reject':
      return rejectPlan(closed, purpose, text, state, reject);
    case 'plan-again':
      return withCommands(closed, {
        type: 'plan-again',
        run: purpose.run,
        ...(text === '' ? {} : {reason: text}),
      });
    case 'comment-plan':
    case 'comment-diff':
      return saveComment(model, field, state, now);
    case 'note':
      return text === ''
        ? reject('Write a note. Escape leaves none.')
        : withCommands(
            withNotice(
              closed,
              isSessionId(purpose.on)
                ? `Noted on ${purpose.on}.`
                : `Noted. Who works on ${purpose.on} next reads it.`,
              now,
            ),
            {type: 'add-note', on: purpose.on, text},
          );
    case 'tell':
      return text === ''
        ? reject('Write a message. Escape sends none.')
        : withCommands(
            withNotice(closed, `The pane of ${purpose.task} shows what comes of it.`, now),
            {type: 'message-task', task: purpose.task, text},
          );
    case 'command':
      return withCommands(
        {...closed, opening: {from: model.selected, isShell: text === ''}},
        toStartSession(model.repository.shell.program, text, purpose.directory),
      );
    case 'search-pane':
      if (text === '') return noChange(closed);
      return withEffects(
        {...closed, mode: 'scroll', typingSession: purpose.session},
        {type: 'copy-mode', session: purpose.session, isOn: true},
        {type: 'search', session: purpose.session, text},
      );
    case 'recall':
      return text === ''
        ? noChange(closed)
        : withEffects(
            {
              ...closed,
              reviewFocus: 'files',
              places: {...closed.places, knowledge: {cursor: 0, top: 0}},
            },
            askDaemon(`recall/${text}`, {
              about: 'recall',
              words: text,
              files: /^\S*[./*]\S*$/.test(text) ? [text] : [],
            }),
          );
    case 'into': {
      const run = selectRun(state, purpose.run);
      if (run === undefined) return noChange(closed);
      // Without a name, the daemon looks for a branch that already contains the run.
      return text === ''
        ? withCommands(closed, {
            type: 'accept-run',
            run: run.id,
            commit: purpose.commit,
            way: purpose.way,
          })
        : noChange(
            withConfirmation(
              closed,
              confirmAccept(run, {
                action: 'accept',
                run: run.id,
                commit: purpose.commit,
                way: purpose.way,
                into: text,
              }),
            ),
          );
    }

    case 'playbook':
      if (text === '') return reject('Write the path of a playbook. Escape goes back.');
      return noChange(
        openField({...closed, playbook: text, way: undefined}, {what: 'objective'}, ''),
      );
    case 'find-key':
      return noChange({...closed, help: {at: 'all', filter: text}});
    case 'palette':
      return noChange(closed);
  }
}

/** Rejects the plan with its comments. If the plan has changed meanwhile, nothing is sent. */
function rejectPlan(
  model: Model,
  {run: id, plan}: Extract<FieldPurpose, {what: 'reject'}>,
  reason: string,
  state: State,
  reject: (message: string) => Result,
): Result {
  const run = selectRun(state, id);
  if (run?.stage.at !== 'reviewing' || run.stage.proposal.hash !== plan)
    return reject(
      'The plan has changed since you began to write: look at it first. Escape discards your text.',
    );
  const {model: sending, commands} = sendPlanComments(model, run);
  if (reason === '' && commands.length === 0 && run.stage.proposal.comments.length === 0)
    return reject('A reason helps the planner. Escape keeps the plan.');
  return withCommands(sending, ...commands, {type: 'reject-plan', run: id, plan, reason});
}

/** Runs the text in the shell of the person; without text, the shell itself. */
function toStartSession(shell: string, text: string, directory: string): UserCommand {
  const name = (text === '' ? shell : text).split(/\s/, 1)[0]?.split('/').at(-1) ?? '';
  return {
    type: 'start-session',
    name: name === '' ? 'command' : name,
    command: text === '' ? [shell] : [shell, '-c', text],
    directory,
  };
}
