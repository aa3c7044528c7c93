import assert from 'node:assert/strict';
import {test} from 'node:test';
import {controlSockets} from '../../source/sandbox/index.ts';

const usual = controlSockets({uid: 7, env: {}});

function notified(env: Readonly<Record<string, string>>): readonly string[] {
  return controlSockets({uid: 7, env}).filter((socket) => !usual.includes(socket));
}

test('the usual sockets of a user', () => {
  assert.deepEqual(usual, [
    '/run/user/7',
    '/run/dbus',
    '/run/systemd/private',
    '/run/docker.sock',
    '/run/containerd',
    '/run/podman',
    '/run/crio',
    '/run/libvirt',
    '/run/snapd.socket',
    '/run/screen',
    '/tmp/tmux-7',
    '/tmp/screen-7',
    '/tmp/zellij-7',
    '/tmp/emacs7',
    '/tmp/.X11-unix',
    '/tmp/.ICE-unix',
  ]);
});

for (const [title, env, entries] of [
  [
    'a tmux elsewhere, with all servers beside it',
    {TMUX: '/home-of/tmux-1000/work,123,0'},
    ['/home-of/tmux-1000'],
  ],
  [
    'a tmux whose socket stands beside the repository',
    {TMUX: '/home-of/work/socket,123,0'},
    ['/home-of/work/socket'],
  ],
  ["a tmux whose socket stands among everybody's files", {TMUX: '/tmp/mine,123,0'}, ['/tmp/mine']],
  ['a runtime directory of its own', {XDG_RUNTIME_DIR: '/var/runtime/'}, ['/var/runtime']],
  [
    'terminals and editors that take commands',
    {
      KITTY_LISTEN_ON: 'unix:/k/kitty',
      NVIM: '/n/nvim',
      VSCODE_IPC_HOOK_CLI: '/v/ipc.sock',
      WEZTERM_UNIX_SOCKET: '/z/wez',
    },
    ['/k/kitty', '/n/nvim', '/v/ipc.sock', '/z/wez'],
  ],
  ['a container service', {DOCKER_HOST: 'unix:///d/docker.sock'}, ['/d/docker.sock']],
  ['a message bus', {DBUS_SESSION_BUS_ADDRESS: 'unix:path=/b/bus,guid=1'}, ['/b/bus']],
  [
    'what is no path at all',
    {
      DOCKER_HOST: 'tcp://1.2.3.4:5',
      KITTY_LISTEN_ON: 'unix:@kitty',
      TMUX: '',
      NVIM: 'relative',
      XDG_RUNTIME_DIR: '/',
    },
    [],
  ],
] as const) {
  test(title, () => {
    assert.deepEqual(notified(env), entries);
  });
}
