import type {State} from '../../domain/index.ts';
import {openField, noChange, type Result, withFieldText, withNotice} from './action.ts';
import type {Model} from './model.ts';
import {canWriteObjective} from './agent-choice.ts';
import {openScreen} from './open-screen.ts';
import {emptyField, toField} from './text-field.ts';

/** Opens the start screen with an empty objective. */
export function writeObjective(model: Model, state: State): Result {
  const opened = model.screen === 'start' ? noChange(model) : openScreen(model, 'start', state);
  return canWriteObjective(model, state)
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
