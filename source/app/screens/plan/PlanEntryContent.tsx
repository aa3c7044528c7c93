import {Box} from 'ink';
import type {ReactElement} from 'react';
import {SafeText} from '../../components/SafeText.tsx';
import {useSigns} from '../../hooks/use-view.ts';
import type {PlanEntry} from '../../select/plan-entries.ts';
import {formatCheckFacts} from '../../select/plan-texts.ts';
import {CheckRow, RuleRow} from './PlanColumn.tsx';
import {TaskGraph} from './TaskGraph.tsx';

type EntryOf<Kind extends PlanEntry['kind']> = Extract<PlanEntry, {kind: Kind}>;

/** What an entry shows, beside the mark of the cursor. */
export function EntryContent({
  entry,
  isChosen,
}: {
  readonly entry: PlanEntry;
  readonly isChosen: boolean;
}): ReactElement {
  switch (entry.kind) {
    case 'objective':
      return (
        <SafeText bold wrap="wrap">
          {entry.text}
        </SafeText>
      );
    case 'task':
      return <TaskContent entry={entry} isChosen={isChosen} />;
    case 'why':
      return <WhyContent entry={entry} />;
    case 'note':
      return (
        <Box flexGrow={1} columnGap={1} paddingLeft={1}>
          <Box flexShrink={0}>
            <SafeText tone="warn" bold>
              !
            </SafeText>
          </Box>
          <Box flexGrow={1} flexShrink={1} flexBasis={0}>
            <SafeText wrap="wrap">{entry.text}</SafeText>
          </Box>
        </Box>
      );
    case 'check':
      return <CheckRow number={entry.number} check={entry.check} />;
    case 'rule':
      return <RuleRow rule={entry.rule} />;
  }
}

function TaskContent({
  entry: {task, isFirst, texts, files},
  isChosen,
}: {
  readonly entry: EntryOf<'task'>;
  readonly isChosen: boolean;
}): ReactElement {
  return (
    <>
      <Box flexShrink={0} paddingLeft={1}>
        <TaskGraph graph={task.graph} hasNode={isFirst} isChosen={isChosen} />
        <Box width={3} justifyContent="flex-end">
          <SafeText tone="dim">{isFirst ? String(task.number) : ''}</SafeText>
        </Box>
      </Box>
      <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} paddingLeft={2}>
        {isFirst ? <TaskTitle task={task} /> : null}
        {texts.map((text) => (
          <SafeText key={text} wrap="wrap">
            {text}
          </SafeText>
        ))}
        {files.length === 0 ? null : (
          <Box flexWrap="wrap" columnGap={2} flexShrink={0}>
            {files.map((file) => (
              <SafeText key={file} tone="dim" wrap="wrap">
                {file}
              </SafeText>
            ))}
          </Box>
        )}
      </Box>
    </>
  );
}

function TaskTitle({task}: {readonly task: EntryOf<'task'>['task']}): ReactElement {
  const {sign, separator} = useSigns();
  const {title, services, after, skill, tools, by, variantOf} = task;
  const more = [
    ...(variantOf === undefined ? [] : [`variant of ${variantOf}`]),
    ...(by === undefined ? [] : [by]),
    ...(skill === undefined ? [] : [`skill ${skill}`]),
    ...(tools.length === 0 ? [] : [`tools ${tools.join(', ')}`]),
  ];
  return (
    <>
      <Box flexShrink={0} columnGap={2}>
        <Box flexGrow={1} flexShrink={1} flexBasis={0}>
          <SafeText bold wrap="wrap">
            {title}
          </SafeText>
        </Box>
        {services.length === 0 ? null : (
          <Box flexShrink={1} maxWidth={24}>
            <SafeText tone="run" wrap="wrap">{`${sign.work} ${services.join(', ')}`}</SafeText>
          </Box>
        )}
        {after.length === 0 ? null : (
          <Box flexShrink={1} maxWidth={24}>
            <SafeText tone="dim" wrap="wrap">{`after ${after.join(', ')}`}</SafeText>
          </Box>
        )}
      </Box>
      {more.length === 0 ? null : (
        <SafeText tone="dim" wrap="wrap">
          {more.join(` ${separator} `)}
        </SafeText>
      )}
    </>
  );
}

function WhyContent({
  entry: {section, label, text},
}: {
  readonly entry: EntryOf<'why'>;
}): ReactElement {
  return (
    <>
      <Box width={9} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="faint">{label}</SafeText>
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0} paddingLeft={2}>
        <SafeText tone={section === 'risks' ? 'warn' : 'text'} wrap="wrap">
          {text}
        </SafeText>
      </Box>
    </>
  );
}

/** An entry as a screen reader says it: each row is a sentence. */
export function formatForReader(entry: PlanEntry, count: number): string {
  switch (entry.kind) {
    case 'objective':
      return `${entry.isFirst ? 'Objective: ' : ''}${entry.text}`;
    case 'task': {
      const {task, isFirst, texts, files} = entry;
      return [
        ...(isFirst ? [`Task ${task.number} of ${count}: ${task.title}.`] : []),
        ...(isFirst && task.after.length > 0 ? [`After ${task.after.join(', ')}.`] : []),
        ...(isFirst && task.services.length > 0 ? [`Needs ${task.services.join(', ')}.`] : []),
        ...(isFirst && task.by !== undefined ? [`By ${task.by}.`] : []),
        ...(isFirst && task.skill !== undefined ? [`Skill ${task.skill}.`] : []),
        ...(isFirst && task.tools.length > 0 ? [`Tools ${task.tools.join(', ')}.`] : []),
        ...texts,
        ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}.`]),
      ].join(' ');
    }

    case 'why':
      return `${entry.label === '' ? '' : `${entry.label}: `}${entry.text}`;
    case 'note':
      return `Note: ${entry.text}`;
    case 'check':
      return [
        `Check ${entry.number}: ${entry.check.name}, ${entry.check.command}.`,
        ...formatCheckFacts(entry.check).map(({text}) => `${text}.`),
      ].join(' ');
    case 'rule': {
      const {number, text, directive} = entry.rule;
      return `Rule ${number}: ${text} ${directive}.`;
    }
  }
}
