import {composePrompt, type Prompt} from './compose-prompt.ts';
import {formatHistory, titledList, type WorkerPromptInput} from './compose-worker-prompt.ts';
import {aboutData, formatOwnText} from './prompt-text.ts';
import {factsSection, rulesSection, skillSection, summariesSection} from './sections.ts';

export type WorkerFollowUp = {
  /**
   * Whether the prompt begins with the rules: the agent passes them as a system prompt, which a
   * conversation does not hold, or they have changed.
   */
  readonly givesRules: boolean;
  readonly hasNewRules: boolean;
};

/**
 * The prompt of a worker that continues its conversation: only what is new. The caller leaves out
 * of the input what the conversation has been given before: facts, summaries, notes, skill, and
 * failure, hint and note of the same attempt.
 */
export function composeWorkerFollowUp(input: WorkerPromptInput & WorkerFollowUp): Prompt {
  const {rules, givesRules, hasNewRules, task, facts, summaries, skill, budget} = input;
  return composePrompt(
    [
      rulesSection(givesRules ? rules : {...rules, rules: [], checks: []}),
      {name: 'task', head: `# Task ${task.id}: go on`, pieces: formatNews(input), joint: '\n\n'},
      factsSection(facts, input, changedFacts),
      summariesSection(summaries, input),
      skillSection(skill),
    ],
    budget,
  );

  function formatNews(news: WorkerPromptInput): string[] {
    const {attempt, changed, notes, secrets} = news;
    // What the agent itself changed since it was last told is no news to it.
    const isElsewhere = attempt.interruptions > 0 || attempt.handedBack !== undefined;
    return [
      'You go on with your task in this conversation. Brief, files, checks and the form of the report, with which you end again, are as you were given them.',
      ...(hasNewRules
        ? [
            'The rules have changed since: those that you are given with this message hold, and no others.',
          ]
        : []),
      ...titledList(
        'New notes of the person:',
        notes.map((text) => formatOwnText(text, secrets)),
      ),
      ...formatHistory({...news, changed: isElsewhere ? changed : []}),
      aboutData(news),
    ];
  }
}

const changedFacts = '# Live facts\n\nChanged since you were given them.';
