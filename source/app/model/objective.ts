import type {State} from '../../domain/index.ts';
import {openField, noChange, type Result, withFieldText, withNotice} from './action.ts';
import type {Confirmation, Model} from './model.ts';
import {openScreen} from './open-screen.ts';
import {emptyField, toField} from './text-field.ts';

/** Opens the start screen with an empty objective. */
export function writeObjective(model: Model, state: State): Result {
  const opened = model.screen === 'start' ? noChange(model) : openScreen(model, 'start', state);
  return model.repository.trouble === undefined
    ? {...opened, model: openField(opened.model, {what: 'objective'}, '', emptyField)}
    : opened;
}

/** Cycles through no skill and the skills of the repository. */
export function nextSkill(model: Model, now: number): Model {
  const skills = ['', ...(model.answers.skills ?? [])];
  if (skills.length === 1)
    return withNotice(
      model,
      'This repository has no skills. One is a folder with a SKILL.md in .orchestra/skills.',
      now,
    );
  return {...model, skill: skills[(skills.indexOf(model.skill) + 1) % skills.length] ?? ''};
}

export function confirmPrepare(name: string, what: 'no-git' | 'no-commits'): Confirmation {
  const question =
    what === 'no-git' ? `Make ${name} a git repository?` : `Make the first commit of ${name}?`;
  return {
    question,
    lines: [
      'All that is in it, but what a .gitignore leaves out, goes into that commit. Your files are not changed.',
    ],
    yes: {action: 'prepare', what},
  };
}

export function recallObjective(model: Model, by: 1 | -1): Model {
  const {field, objectives} = model;
  if (field === undefined) return model;
  const at = (field.older ?? objectives.length) + by;
  if (at >= objectives.length) return openField(model, field.for, field.label);
  const text = objectives[Math.max(0, at)];
  return text === undefined
    ? model
    : withFieldText({...model, field: {...field, older: Math.max(0, at)}}, toField(text));
}
