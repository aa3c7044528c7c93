import {Box} from 'ink';
import type {ReactElement} from 'react';
import {Frame} from '../../components/Frame.tsx';
import {SafeText} from '../../components/SafeText.tsx';
import {TextInput} from '../../components/TextInput.tsx';
import {useView} from '../../hooks/use-view.ts';
import {Item} from '../../ink/regions.tsx';
import {selectPlanComments} from '../../model/comments.ts';
import type {PlanEntry} from '../../select/plan-entries.ts';
import type {ShownPlan} from '../../select/plan-screen.ts';
import {TaskGraph} from './TaskGraph.tsx';

/** The comments on an entry: those that were sent, then the unsent ones. */
export function PlanComments({
  plan: {run, view, entryOfLine},
  entry,
}: {
  readonly plan: ShownPlan;
  readonly entry: PlanEntry;
}): ReactElement | null {
  const planComments = useView(({model}) => model.planComments);
  const edited = useView(({model}) =>
    model.field?.for.what === 'comment-plan' ? model.field.for.line : undefined,
  );
  const isHere = ({line}: {readonly line: number}): boolean => entryOfLine.get(line) === entry;
  const sent = view.comments.filter(isHere);
  // The field shows the comment that is edited.
  const unsent = selectPlanComments({planComments}, run).filter(
    (comment) => isHere(comment) && comment.line !== edited,
  );
  if (sent.length + unsent.length === 0) return null;
  return (
    <>
      {sent.map(({line, text}, index) => (
        <Comment key={`sent ${line} ${index}`} entry={entry} title="you, sent" text={text} />
      ))}
      {unsent.map(({line, text}) => (
        <Comment key={`unsent ${line}`} entry={entry} title="you" text={text} />
      ))}
    </>
  );
}

function Comment({
  entry,
  title,
  text,
}: {
  readonly entry: PlanEntry;
  readonly title: string;
  readonly text: string;
}): ReactElement {
  return (
    <BelowEntry entry={entry}>
      <Frame tone="warn" paddingX={1} title={<SafeText tone="warn">{title}</SafeText>} flexGrow={1}>
        <SafeText wrap="wrap">{text}</SafeText>
      </Frame>
    </BelowEntry>
  );
}

/** The comment that is being written, where it will stand. The viewport follows it. */
export function PlanField({entry}: {readonly entry: PlanEntry}): ReactElement | null {
  const field = useView(({model}) => model.field);
  if (field === undefined) return null;
  return (
    <Item id="field" isCursor>
      <BelowEntry entry={entry}>
        <Frame
          tone="accent"
          paddingX={1}
          title={<SafeText tone="accent">{field.label}</SafeText>}
          flexGrow={1}
        >
          <Box height={1} flexShrink={0}>
            <TextInput field={field} />
          </Box>
        </Frame>
      </BelowEntry>
    </Item>
  );
}

/** Below the text of its entry. The lanes of the tasks go on beside it. */
function BelowEntry({
  entry,
  children,
}: {
  readonly entry: PlanEntry;
  readonly children: ReactElement;
}): ReactElement {
  return (
    <Box flexShrink={0} paddingRight={1}>
      {entry.kind === 'task' ? (
        <Box flexShrink={0} paddingLeft={2} paddingRight={5}>
          <TaskGraph graph={entry.task.graph} hasNode={false} />
        </Box>
      ) : (
        <Box width={entry.kind === 'why' ? 11 : 1} flexShrink={0} />
      )}
      <Box flexGrow={1} flexShrink={1} flexBasis={0}>
        {children}
      </Box>
    </Box>
  );
}
