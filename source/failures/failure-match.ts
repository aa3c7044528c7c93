/**
 * The first place in a line of any tool: a frame of a stack trace, `path:line:column`,
 * `path(line,column)`.
 */
export function findPlace(line: string): CodePlace | undefined {
  const python = /^\s*(?:E\s+)?File "([^"]+)", line (\d+)/.exec(line);
  if (python) return toPlace(python[1], python[2]);
  const java =
    /^\s*(?:at\s)?\s*((?:[\w.$]+\/)?[\w$.]+)\.[\w$<>]+\((\w+\.(?:java|kt|scala|groovy)):(\d+)\)/.exec(
      line,
    );
  if (java) return toPlace(javaFile(java[1] ?? '', java[2] ?? ''), java[3]);
  const php = /^#\d+ (\/[^(]+)\((\d+)\)/.exec(line);
  if (php) return toPlace(php[1], php[2]);
  // `src/c.js: Unexpected token (3:7)`, as JavaScript parsers print it.
  const parser = /(\S+\.\w+): .*\((\d+):(\d+)\)$/.exec(line);
  return parser ? toPlace(parser[1], parser[2], parser[3]) : colonPlace(line);
}

export function toPlace(file = '', line?: string, column?: string): CodePlace {
  return {
    file: plainPath(file),
    ...(line !== undefined && {line: Number(line)}),
    ...(column !== undefined && {column: Number(column)}),
  };
}

/**
 * `java.base/java.util.List` in `List.java` → `java/util/List.java`: the end of the path, which is
 * all that a frame has.
 */
function javaFile(name: string, file: string): string {
  const folders = name
    .slice(name.lastIndexOf('/') + 1)
    .split('.')
    .slice(0, -1);
  return [...folders, file].join('/');
}

/**
 * Walks back from `:12` to the beginning of the path; a pattern that begins with the path would be
 * quadratic.
 */
function colonPlace(line: string): CodePlace | undefined {
  for (const match of line.matchAll(/:(\d{1,7})(?::(\d{1,7}))?(?!\d)/g)) {
    let start = match.index;
    while (start > 0 && match.index - start < 400 && isPathCharacter(line[start - 1] ?? ''))
      start -= 1;
    // `psql:schema.sql:4`
    const file = line
      .slice(start, match.index)
      .replace(
        /^(?!node:|internal:|webpack:|bun:|native:|file:|https?:|package:|dart:)[a-z]{2,10}:(?=\w)/,
        '',
      );
    if (
      /(?:^|[\w)\]])\.[A-Za-z]\w{0,9}$|^(?:file:\/\/)?\.{0,2}\/.*\w$|^(?:Makefile|Rakefile|Gemfile|Dockerfile)$/.test(
        file,
      ) &&
      !/^\w+:\/\/(?!\/)/.test(file)
    )
      return toPlace(file, match[1], match[2]);
  }

  return undefined;
}

function isPathCharacter(character: string): boolean {
  return !/[\s"'`(<>[\]{},;|│❯=]/.test(character);
}

function plainPath(file: string): string {
  return file
    .replace(/^file:\/\/(?=\/)/, '')
    .replace(/^file:\/\//, '')
    .replace(/^webpack:\/\/\/?(?:[\w@-]+\/)?\.\//, '')
    .replace(/^(?:\.\/)+/, '');
}

/** Whether the place is in the project, not in a library or in the tool itself. */
export function isOwn({file}: CodePlace, root?: string): boolean {
  if (foreign.test(file)) return false;
  return (
    root === undefined || !/^(?:\/|[A-Za-z]:[\\/])/.test(file) || file.startsWith(withSlash(root))
  );
}

const foreign =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor|\.cargo|\.rustup|rustc|rubygems-integration|gems)\/|^(?:node|internal|webpack|native|bun|https?):|^<|^\/usr\/|^\/lib\/|^\/opt\/|\/lib\/(?:python|ruby)\d|\/go\/pkg\/mod\/|\/src\/(?:testing|runtime)\/[a-z_]+\.go$|^_testmain\.go$|^library\/|^(?:java|javax|jdk|sun|junit|kotlin|scala|groovy)\/|^com\/sun\/|^org\/(?:junit|opentest4j|hamcrest|gradle|apache\/maven|assertj|mockito|testng|scalatest|scalacheck|specs2|spockframework|codehaus\/groovy|jetbrains|springframework)\/|^(?:munit|sbt|zio\/test|clojure)\/|^io\/(?:kotest|mockk)\/|compiler-rt\/|libsanitizer\/|sanitizer_common|\/?csu\/|sysdeps\/|nptl\/|vg_replace_malloc|\/go\/src\/|stdlib\/v\d|^package:|^dart:|googletest\/|gtest|catch2\/|catch_amalgamated|doctest\.h$|\.deno\//;

export function bestPlace(places: readonly CodePlace[], root?: string): CodePlace | undefined {
  // A place inside the tool itself does not help.
  return (
    places.find((candidate) => isOwn(candidate, root)) ??
    places.find(({file}) => !/(?:^|\/)node_modules\/|^node:|^<|^java\//.test(file))
  );
}

export function relativeTo(root: string | undefined, file: string): string {
  return root !== undefined && file.startsWith(withSlash(root))
    ? file.slice(withSlash(root).length)
    : file;
}

export function withSlash(root: string): string {
  return root.endsWith('/') ? root : `${root}/`;
}

/** A place in code. Lines and columns are counted from 1. */
export type CodePlace = {readonly file: string; readonly line?: number; readonly column?: number};

/** The first failure that a reader found in the output of its tool. */
export type FailureMatch = {
  /**
   * The index of the earliest line about it. Of several matches the earliest is the first failure.
   */
  readonly at: number;
  readonly tool: string;
  readonly test?: string;
  /** The assertion or the error. */
  readonly message: readonly string[];
  /** Innermost frame first. */
  readonly places: readonly CodePlace[];
  readonly excerpt: readonly string[];
};

/** The first failure in a log of the reader's tool; undefined for any other log. */
export type FailureReader = (lines: readonly string[]) => FailureMatch | undefined;
