import path from 'node:path';

/**
 * Sockets of programs that run commands outside of any sandbox: a client could run anything, or
 * press keys in the person's own terminal (codex #37890). A read-only file system does not prevent
 * connecting, so they belong into `hidden`. Not included: ssh-agent, which agents need to fetch and
 * push.
 */
export function controlSockets({
  uid,
  env,
}: {
  readonly uid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}): readonly string[] {
  const named = [
    env['XDG_RUNTIME_DIR'],
    // <socket>,<pid>,<session>: all servers of this user are in the same directory.
    tmuxDirectory(env['TMUX']?.split(',')[0]),
    env['KITTY_LISTEN_ON']?.replace(/^unix:/, ''),
    env['DOCKER_HOST']?.replace(/^unix:\/\//, ''),
    /(?:^|;)unix:path=(?<file>[^,;]+)/.exec(env['DBUS_SESSION_BUS_ADDRESS'] ?? '')?.groups?.[
      'file'
    ],
    ...[
      'NVIM',
      'VSCODE_IPC_HOOK_CLI',
      'WEZTERM_UNIX_SOCKET',
      'ALACRITTY_SOCKET',
      'SWAYSOCK',
      'I3SOCK',
    ].map((name) => env[name]),
  ];
  const sockets = [...named, ...defaultSockets(uid)].flatMap((socket) =>
    socket !== undefined && path.isAbsolute(socket) ? path.resolve(socket) : [],
  );
  return [...new Set(sockets)].filter((socket) => socket !== '/');
}

function defaultSockets(uid: number): readonly string[] {
  return [
    `/run/user/${uid}`,
    ...[
      'dbus',
      'systemd/private',
      'docker.sock',
      'containerd',
      'podman',
      'crio',
      'libvirt',
      'snapd.socket',
      'screen',
    ].map((name) => `/run/${name}`),
    ...[
      `tmux-${uid}`,
      `screen-${uid}`,
      `zellij-${uid}`,
      `emacs${uid}`,
      '.X11-unix',
      '.ICE-unix',
    ].map((name) => `/tmp/${name}`),
  ];
}

/**
 * The directory only where tmux itself made it for its servers: with `-S` a socket may be anywhere,
 * even beside the repository.
 */
function tmuxDirectory(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const directory = path.dirname(file);
  return /^tmux-\d+$/.test(path.basename(directory)) ? directory : file;
}
