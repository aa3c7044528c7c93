import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {Need} from '../../../domain/index.ts';
import {useSizeClass, useView} from '../../hooks/use-view.ts';
import {Clickable} from '../../ink/regions.tsx';
import {selectAnswerOptions} from '../../model/needs-queue.ts';
import {describeAsking, selectQuestionText} from '../../select/question-text.ts';
import {SafeText} from '../SafeText.tsx';
import {AnswerRow} from './AnswerRow.tsx';
import {NeedFrame} from './NeedFrame.tsx';

type Question = Extract<Need, {kind: 'question'}>;

/** What is asked, the answers with a number, and how it is known that the program waits. */
export function QuestionNeed({need}: {readonly need: Question}): ReactElement {
  const isWhole = useView(({model}) => model.isScreenReader);
  const sizeClass = useSizeClass();
  // The frame of a small window has no line below.
  const isSmall = sizeClass === 'phone' || sizeClass === 'small';
  const options = need.secret ? [] : selectAnswerOptions(need);
  const own = options.length === 0 ? 'writes an answer' : 'writes an answer of your own';
  const text = need.secret ? 'writes it, unseen' : own;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <NeedFrame
        tone="warn"
        title={need.secret ? <SafeText tone="warn">asks for a secret</SafeText> : undefined}
        footState={<SafeText tone="dim">{describeAsking(need)}</SafeText>}
      >
        <SafeText bold wrap="wrap">
          {isWhole ? need.question : selectQuestionText(need)}
        </SafeText>
        {need.secret ? (
          <SafeText tone="dim" wrap="wrap">
            {secretSentence}
          </SafeText>
        ) : null}
        <Box flexDirection="column" flexShrink={0} marginTop={1}>
          <Options options={options} />
          <AnswerRow context={need.secret ? 'need-secret' : 'need-question'} text={text} />
        </Box>
        {isSmall ? (
          <SafeText tone="dim" wrap="wrap">
            {describeAsking(need)}
          </SafeText>
        ) : null}
      </NeedFrame>
    </Box>
  );
}

const secretSentence = 'It goes to the program alone: not shown, not kept, no agent sees it.';

/** A digit sends its option; each can be clicked. */
function Options({options}: {readonly options: readonly string[]}): ReactElement {
  return (
    <>
      {options.map((option, index) => (
        <Clickable
          key={index}
          target={{type: 'action', action: 'option', chord: String(index + 1)}}
          paddingLeft={2}
          columnGap={2}
        >
          <Box flexShrink={0}>
            <SafeText tone="accent" bold>
              {index + 1}
            </SafeText>
          </Box>
          <SafeText wrap="wrap">{option}</SafeText>
        </Clickable>
      ))}
    </>
  );
}
