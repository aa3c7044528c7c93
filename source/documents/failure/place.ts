import type {Place} from './sighting.ts';

/** The first place that a line names, whatever the tool: a frame of a stack trace, `path:line:column`, `path(line,column)`. */
export function placeOf(line: string): Place | undefined {
  const python = /^\s*(?:E\s+)?File "([^"]+)", line (\d+)/.exec(line);
  if (python) return place(python[1], python[2]);
  const java =
    /^\s*(?:at\s)?\s*((?:[\w.$]+\/)?[\w$.]+)\.[\w$<>]+\((\w+\.(?:java|kt|scala|groovy)):(\d+)\)/.exec(
      line,
    );
  if (java) return place(javaFile(java[1] ?? '', java[2] ?? ''), java[3]);
  const php = /^#\d+ (\/[^(]+)\((\d+)\)/.exec(line);
  if (php) return place(php[1], php[2]);
  // `src/c.js: Unexpected token (3:7)`, as parsers of JavaScript say it.
  const spoken = /(\S+\.\w+): .*\((\d+):(\d+)\)$/.exec(line);
  return spoken ? place(spoken[1], spoken[2], spoken[3]) : colonPlace(line);
}

export function place(file = '', line?: string, column?: string): Place {
  return {
    file: plainPath(file),
    ...(line !== undefined && {line: Number(line)}),
    ...(column !== undefined && {column: Number(column)}),
  };
}

/** `java.base/java.util.List` of `List.java` → `java/util/List.java`: the end of the path, as far as a frame tells it. */
function javaFile(name: string, file: string): string {
  const folders = name
    .slice(name.lastIndexOf('/') + 1)
    .split('.')
    .slice(0, -1);
  return [...folders, file].join('/');
}

/** Walks back from `:12` to the beginning of the path; a pattern that looks for the path first would be quadratic. */
function colonPlace(line: string): Place | undefined {
  for (const match of line.matchAll(/:(\d{1,7})(?::(\d{1,7}))?(?!\d)/g)) {
    let start = match.index;
    while (start > 0 && match.index - start < 400 && isOfPath(line[start - 1] ?? '')) start -= 1;
    const file = line.slice(start, match.index);
    if (
      /(?:^|[\w)\]])\.[A-Za-z]\w{0,9}$|^(?:file:\/\/)?\.{0,2}\/.*\w$|^(?:Makefile|Rakefile|Gemfile|Dockerfile)$/.test(
        file,
      ) &&
      !/^\w+:\/\/(?!\/)/.test(file)
    )
      return place(file, match[1], match[2]);
  }

  return undefined;
}

function isOfPath(character: string): boolean {
  return !/[\s"'`(<>[\]{},;|│❯=]/.test(character);
}

function plainPath(file: string): string {
  return file
    .replace(/^file:\/\/(?=\/)/, '')
    .replace(/^file:\/\//, '')
    .replace(/^(?:\.\/)+/, '');
}

/** Frames of libraries and of the tool itself are not where a person looks first. */
export function isOwn({file}: Place, root?: string): boolean {
  if (foreign.test(file)) return false;
  return (
    root === undefined || !/^(?:\/|[A-Za-z]:[\\/])/.test(file) || file.startsWith(withSlash(root))
  );
}

const foreign =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor|\.cargo|\.rustup|rustc|rubygems-integration|gems)\/|^(?:node|internal|webpack|native|bun|https?):|^<|^\/usr\/|^\/lib\/|^\/opt\/|\/lib\/(?:python|ruby)\d|\/go\/pkg\/mod\/|\/src\/(?:testing|runtime)\/[a-z_]+\.go$|^_testmain\.go$|^library\/|^(?:java|javax|jdk|sun|junit|kotlin|scala|groovy)\/|^com\/sun\/|^org\/(?:junit|opentest4j|hamcrest|gradle|apache\/maven|assertj|mockito|testng)\//;

export function bestPlace(places: readonly Place[], root?: string): Place | undefined {
  // Inside the tool there is nothing to look at.
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
