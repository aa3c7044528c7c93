/**
 * The name of a test or check that a runner marks as failed: by a sign (`✗`, `×`, `●`, `[E]`), by
 * `not ok`, or by a word before or after the name. Undefined for any other line.
 */
export function failedName(line: string): string | undefined {
  const notOk = /^\s*not ok\b\s{0,8}\d*\s{0,8}(?:-\s{0,8})?(.*)$/.exec(line);
  if (notOk !== null) return toName(notOk[1] ?? '') || 'not ok';
  for (const pattern of patterns) {
    const found = pattern.exec(line);
    const name = found === null ? undefined : toName(found[1] ?? '');
    if (name !== undefined && (name === '' || /[\p{L}\d]/u.test(name))) return name;
  }

  return undefined;
}

const patterns: readonly RegExp[] = [
  // `✗ name`, `  × name`, `[-] name`, `==> X name`
  /^[\s|│┃├└─┌╭»›*-]{0,40}(?:✖|✘|✗|✕|×|❌|❎|⨯|⨉|☓|🔴|🛑|●|\[x\]|\[-\]|\[✗\]|\[✘\]|\[×\]|==> X)\s{1,6}(?:Test )?(\S.{0,300})$/u,
  // `name [✘]`, `name [E]`
  /^\s*(?:\d\d:\d\d (?:\+\d+ ?|~\d+ ?|-\d+ ?){1,3}: )?(\S.{0,300}?)\s{1,4}\[(?:✘|✗|×|E)\]\s*$/u,
  // `- name [FAILED]`
  /^\s{1,40}(?:- )?(\S.{0,300}?)\s{1,4}\[(?:FAILED|ERROR)\]\s*$/,
  // A place, a level and the test: `a.cpp(3): error: in "suite/name": …`, `a.cpp:3: error: Failure in name:`
  /^[^:("]{1,200}[:(]\d{1,7}\)?(?::\d{1,7})?: (?:fatal )?error: (?:Failure )?in "?(TEST\([^)]{1,200}\)|[\w/:.-]{1,200})"?(?::|$)/,
  // `tests.scm:4: FAIL adds`
  /^\S{1,200}:\d{1,7}: FAIL (\S.{0,200})$/,
  // Before the name.
  /^[\s─━=]{1,10}(?:\d+\. )?(?:Failure|Error) \([^)]{1,200}\): (.{1,200}?) ?[─━=]*$/,
  /^ERROR in (\(\S{1,200}\)(?: \(\S{1,200}:\d+\))?)$/,
  /^• (\[FAILED\] \[[\d.]+ seconds\])$/,
  /^[\s>│]{0,20}--- FAIL: (\S.{0,300}?)$/,
  /^[\s>│•]{0,20}\[\s{0,8}(?:FAILED|FAIL|Failed|FAILURE)\s{0,8}\]\s{1,20}(?!Expected\b)(\S.{0,300}?)\s*│?$/,
  /^[\s=*─━]{0,80}(?:FAIL|FAILED|FAILURE|Failure|Failed)(?: →| in |: | {1,4}| - )(?:\[[\s\d.]+m?s\] )?(?!to |is |was |asserting|expect|with |example|tests?:|test run|tasks?:|on |at |for |because|due |after |when |while |status|code|build|command)(\S.{0,300}?)$/,
  /^ERROR: ((?:test\w*|setUp\w*|tearDown\w*) \([\w.]+\))/,
  /^(?:TEST CASE|Test):? +(\S.{0,200}?) \.{3}FAILED/,
  // After the name.
  /^\s*(?:\d+\/\d+ )?(?:Test\s+#\d+: )?(\S.{0,200}?)(?: \.{2,}|\.{3,}| )\s{0,60}\*{3}(?:Failed|Exception|Timeout|FAILED)\b.{0,80}$/,
  /^[\s-]{0,20}(\S.{0,200}?) \*{3} FAILED \*{3}/,
  /^(\S.{0,200}?)\s{1,80}\| FAIL \|$/,
  /^\s*\d+\/\d+ (\S.{0,120}?)\s{2,60}(?:FAIL|ERROR|TIMEOUT)\s{2,20}[\d.]+s/,
  /^\s*Test Case '(.{1,200}?)' failed \(/,
  /^\s*(?:Test:? |test |Test \[\d+\/\d+\] )?(\S.{0,200}?)(?: ?\.{3,100} ?|: {1,60}| {1,60}=> )(?:FAILED|FAIL|Failed|\*failed\*|failed|FAIL \(\w+\))(?: in)?(?:\s{1,4}[([]?[\d.,]+\s?m?s\b[)\]]?)?\s*$/,
  /^\s{1,20}(\S.{0,200}?) \.{3}\s{1,80}\[(?:FAIL|ERROR)\]$/,
  /^\s*(test\w{0,100} \(.{1,200}\)) \.{3} ERROR$/,
  /^(\S.{0,200}?)\s{1,80}(?:\[FAIL\]|FAILED|FAIL)(?: in [\d.]+s)?(?: \([\d.,]+ ?m?s\))?\s*$/,
  /^(?:.{0,200} )?(\S+(?: \S+){0,6}): Test Failed at \S+$/,
  // `test_cart.c:9:test_adds:FAIL: Expected 4 Was 5`, `check_cart.c:12:F:Core:test_adds:0: …`
  /^\S{1,200}:\d{1,6}:(\w{1,200}):FAIL\b/,
  /^\S{1,200}:\d{1,6}:[FE]:(\w{1,100}:\w{1,200}):\d+: /,
  /^== \[(\S{1,200})\] FAIL$/,
];

/** A title without what tools add to it: times, counts, rules. */
export function toName(text: string): string {
  return text
    .replace(/^\[FAILED\] \[[\d.]+ seconds\]$/, '')
    .replace(/^test: (\S{1,200}) \([FE]\) .*$/, '$1')
    .replace(/^(.{3,200}?) {2,}[\d.]+m?s [\w.$]+: .*$/, '$1')
    .replace(/\s{0,20}[[(][\d.,]{1,12}\s?(?:m?s|sec|seconds|µs)?(?:\|\d+m?s)?[\])]\s{0,20}$/, '')
    .replace(/\s{1,20}\d[\d.,]{0,10}\s?m?s(?: \(.{1,30}\))?$/, '')
    .replace(/(?:[\s─━=*…:│-]|\.{2,200}){1,200}$/u, '')
    .trim();
}

/** `1) title`, `  1. title`: counts only below a heading or in a log that counts failures. */
export function numberedName(line: string): string | undefined {
  const name = /^\s{0,8}(?:\d{1,3}\)|1\.)\s{1,6}(\S.{0,300})$/.exec(line)?.[1];
  return name === undefined || /\bskipped\b|Reason:/i.test(name) ? undefined : toName(name);
}
