import path from 'node:path';

/**
 * Sockets of programs that do what they are told, outside of any sandbox: whoever may connect to them may run anything, or
 * press keys in the person's own terminal (codex #37890). A read-only file system does not keep anybody from connecting,
 * so they belong into `hidden`. Not among them: ssh-agent, which agents need to fetch and push.
 */
export function doorsOut({
  uid,
  env,
}: {
  readonly uid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}): readonly string[] {
  const told = [
    env['XDG_RUNTIME_DIR'],
    // <socket>,<pid>,<session>: all servers of this user stand beside it.
    directoryOf(env['TMUX']?.split(',')[0]),
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
  const doors = [...told, ...usualDoors(uid)].flatMap((door) =>
    door !== undefined && path.isAbsolute(door) ? path.resolve(door) : [],
  );
  return [...new Set(doors)].filter((door) => door !== '/');
}

function usualDoors(uid: number): readonly string[] {
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

/** The directory only where tmux itself made it for its servers: with `-S` a socket may stand anywhere, beside the repository too. */
function directoryOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const directory = path.dirname(file);
  return /^tmux-\d+$/.test(path.basename(directory)) ? directory : file;
}
