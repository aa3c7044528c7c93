import assert from 'node:assert/strict';

/** Throws unless the text is one XML element with everything closed, quoted and escaped. */
export function assertWellFormed(xml: string): void {
  const open: string[] = [];
  let rest = xml.trim();
  let roots = 0;
  while (rest !== '') {
    const tag =
      /^<(?<end>\/?)(?<name>[a-zA-Z]+)(?<attributes>(?: [\w:-]+="[^"<]*")*)(?<empty>\/?)>/.exec(
        rest,
      );
    const text = tag === null ? /^[^<]+/.exec(rest)?.[0] : undefined;
    if (tag === null) {
      assert.ok(text !== undefined, `no tag and no text: ${rest.slice(0, 80)}`);
      assertEscaped(text);
      assert.ok(open.length > 0, `text outside of the root: ${text.slice(0, 80)}`);
      rest = rest.slice(text.length);
      continue;
    }

    const {end, name = '', attributes = '', empty} = tag.groups ?? {};
    assertEscaped(attributes);
    const names = [...attributes.matchAll(/ ([\w:-]+)=/g)].map(([, attribute]) => attribute);
    assert.equal(new Set(names).size, names.length, `an attribute twice: ${tag[0]}`);
    if (open.length === 0) roots += 1;
    if (end === '/') assert.equal(open.pop(), name);
    else if (empty !== '/') open.push(name);
    rest = rest.slice(tag[0].length);
  }

  assert.deepEqual([open, roots], [[], 1]);
}

function assertEscaped(text: string): void {
  assert.doesNotMatch(text, /&(?!(?:amp|lt|gt|quot|#\d+);)/);
  // Characters that XML 1.0 does not allow, also not as a reference.
  assert.doesNotMatch(text, /[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
}
