// The rules file is markdown to everybody who looks at it, so our small reader must see what
// CommonMark sees.
// The full parser is the oracle here; docs/decisions/0003-rules-file.md says why it does not read
// the file itself.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Nodes} from 'mdast';
import {fromMarkdown} from 'mdast-util-from-markdown';
import {parseBlocks} from '../../source/rules/parse-blocks.ts';
import {parseInline} from '../../source/rules/parse-item.ts';
import {fc} from '../support/property.ts';

const runs = 3000;

test('headings and items stand where CommonMark sees them', () => {
  fc.assert(
    fc.property(
      fc.array(ordinaryLine, {maxLength: 12}).map((lines) => lines.join('\n')),
      (text) => {
        fc.pre(!(/^ {4}/m.test(text) && /^(?:2\)|-$)/m.test(text)));
        assert.deepEqual(ourBlocks(text), commonMarkBlocks(text));
      },
    ),
    {numRuns: runs},
  );
});

test('code spans begin and end where CommonMark sees them', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '`',
    '``',
    '```',
    '\\',
    '\\`',
    'protect: x',
    ' <!-- b --> ',
    'c',
  );
  fc.assert(
    fc.property(
      fc.array(piece, {maxLength: 14}).map((pieces) => `x${pieces.join('')}`),
      (text) => {
        const ours = parseInline(text)
          .filter(({kind}) => kind === 'code')
          .map(({content}) => content);
        assert.deepEqual(ours, commonMarkSpans(text));
        assert.equal(
          parseInline(text)
            .map(({raw}) => raw)
            .join(''),
          text,
        );
      },
    ),
    {numRuns: runs},
  );
});

/**
 * After code that is indented by four the oracle begins no list with "2)" or an empty item, against
 * the specification: left out.
 */
const ordinaryLine = fc.oneof(
  {weight: 6, arbitrary: fc.constantFrom('- a', '* b `x`', '1. c', '2) d', '+ e')},
  {
    weight: 3,
    arbitrary: fc.constantFrom('  - n', '    - nn', '   - m', '  text in', '    deep text'),
  },
  {weight: 3, arbitrary: fc.constant('')},
  {weight: 2, arbitrary: fc.constantFrom('# h', '## g ##', '### k', '# C#')},
  fc.constantFrom(
    'plain',
    'more plain',
    '***',
    '---',
    '> quote',
    '<!-- c -->',
    '<!--',
    '-->',
    '```',
    '~~~',
    '===',
    '| a |',
    '-',
    '- - x',
  ),
);

function ourBlocks(text: string): string[] {
  return parseBlocks(text.split('\n')).blocks.flatMap((block) => {
    if (block.kind === 'prose') return [];
    return block.kind === 'heading'
      ? [`${block.line}: heading ${block.level} ${block.title}`]
      : [`${block.line}: item`];
  });
}

function commonMarkBlocks(text: string): string[] {
  const found: string[] = [];
  const visit = (node: Nodes, isInItem: boolean): void => {
    if (node.type === 'blockquote') return;
    const line = node.position!.start.line;
    if (node.type === 'heading' && !isInItem)
      found.push(`${line}: heading ${node.depth} ${termsIn(node)}`);
    if (
      node.type === 'listItem' &&
      node.children.some(({type}) => type === 'paragraph' || type === 'heading')
    )
      found.push(`${line}: item`);
    if ('children' in node)
      for (const child of node.children) visit(child, isInItem || node.type === 'listItem');
  };

  visit(fromMarkdown(text), false);
  return found;
}

function termsIn(node: Nodes): string {
  if ('value' in node) return node.value.replaceAll('\n', ' ');
  return 'children' in node ? node.children.map(termsIn).join('') : ' ';
}

function commonMarkSpans(text: string): string[] {
  const found: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === 'inlineCode') found.push(node.value.trim());
    if ('children' in node) node.children.forEach(visit);
  };

  visit(fromMarkdown(text));
  return found;
}
