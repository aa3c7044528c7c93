/** Where somebody wants to go, as they said it; whether it may be is asked later. */
export type Target = {readonly host: string; readonly port: number};

/** `host:port`, as CONNECT has it. */
export function parseAuthority(text: string): Target | undefined {
  const found =
    /^(?<host>\[[0-9A-Fa-f:.]{2,45}\]|[^\s:[\]/?#@\\]{1,255}):(?<port>[1-9]\d{0,4})$/.exec(
      text,
    )?.groups;
  const port = Number(found?.['port']);
  return found === undefined || port > 65_535 ? undefined : {host: found['host'] ?? '', port};
}

/** `http://host[:port]/path`, as a proxy is asked for a page. The path is passed on as it is. */
export function parseAbsoluteUrl(
  text: string,
): (Target & {readonly path: string; readonly authority: string}) | undefined {
  const found = /^http:\/\/(?<authority>[^\s/?#@\\]{1,300})(?<path>[/?][^\s#\\]*)?$/i.exec(
    text,
  )?.groups;
  if (found === undefined) return undefined;
  const authority = found['authority'] ?? '';
  const target = parseAuthority(
    /:\d+$/.test(authority.replace(/^\[.*\]/, '')) ? authority : `${authority}:80`,
  );
  const path = found['path'] ?? '/';
  return target && {...target, authority, path: path.startsWith('?') ? `/${path}` : path};
}
