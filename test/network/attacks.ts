/**
 * Ways out of a restricted network. Each script runs inside of the sandbox. Outside, on this
 * machine alone, a secret is served: `$SECRET` is its port (IPv4 and IPv6), `$UDP` one for
 * datagrams, `$ABSTRACT` an abstract socket, `$SOCKET` a socket file in the person's home.
 * `$LISTED` and `$LOCAL` are ports that the list allows, at 127.0.0.1 and at localhost. `$REACH`
 * tries and prints.
 *
 * - `under`: the rule that is in force. `none` is no network at all, `allow` the listed ports.
 * - `left`: what the script was left with.
 */
export type Attack = {
  readonly name: string;
  readonly under: 'none' | 'allow';
  readonly script: string;
  readonly left: RegExp;
};

const proxied = (request: string): string => `$REACH tcp 127.0.0.1 61080 "${request}"`;
const connectTo = (host: string): string =>
  proxied(`CONNECT ${host} HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n`);
const getFrom = (address: string, host: string): string =>
  proxied(`GET ${address} HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n`);
const rejected = /ECONNREFUSED|Connection refused/;
const unreachable = /ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL|unreachable|refused/;
const notListed = /^HTTP\/1\.1 403 /;
const noHost = /^HTTP\/1\.1 40[03] /;
/** The port of the secret, in the two bytes that SOCKS has for it. */
const socksPort = '\\x$(printf %02x $((SECRET / 256)))\\x$(printf %02x $((SECRET % 256)))';

export const attacks: readonly Attack[] = [
  {
    name: 'connects to this machine',
    under: 'none',
    script: '$REACH tcp 127.0.0.1 $SECRET',
    left: rejected,
  },
  {
    name: 'connects to this machine by IPv6',
    under: 'none',
    script: '$REACH tcp ::1 $SECRET',
    left: unreachable,
  },
  {
    name: 'connects to another loopback address',
    under: 'none',
    script: '$REACH tcp 127.0.0.2 $SECRET',
    left: rejected,
  },
  {
    name: 'connects to every address',
    under: 'none',
    script: '$REACH tcp 0.0.0.0 $SECRET',
    left: rejected,
  },
  {
    name: 'lets the shell connect',
    under: 'none',
    script: '(exec 5<>/dev/tcp/127.0.0.1/$SECRET && cat <&5) 2>&1',
    left: rejected,
  },
  {name: 'sends a datagram', under: 'none', script: '$REACH udp 127.0.0.1 $UDP', left: unreachable},
  {
    name: 'lets the shell send a datagram',
    under: 'none',
    script: 'echo hello > /dev/udp/127.0.0.1/$UDP; echo sent',
    left: /^sent/,
  },
  {
    name: 'connects to an abstract socket',
    under: 'none',
    script: '$REACH unix $ABSTRACT',
    left: rejected,
  },
  {
    name: 'connects to a socket file that listens outside',
    under: 'none',
    script: '$REACH unix $SOCKET',
    left: /ECONNREFUSED|ENOTSOCK|EACCES|ENOENT|EINVAL/,
  },
  {
    name: 'takes the socket file away that hides it',
    under: 'none',
    script:
      'rm -f $SOCKET 2>&1; umount $SOCKET 2>&1; mv $SOCKET $SOCKET.old 2>&1; $REACH unix $SOCKET',
    left: /ECONNREFUSED|ENOTSOCK|EACCES|ENOENT|EINVAL/,
  },
  {
    name: 'asks a name server',
    under: 'none',
    script: '$REACH resolve secret.example',
    left: /EAI_AGAIN|ENOTFOUND/,
  },
  {
    name: 'asks services that resolve names for others',
    under: 'none',
    script: 'ls -A /run 2>&1 | grep -v "^orchestra-agents$"; echo nothing',
    left: /^nothing$/m,
  },
  {
    name: 'makes a raw socket',
    under: 'none',
    script: 'perl -e \'socket(S, 2, 3, 1) ? print "made" : print "$!"\'',
    left: /not permitted/,
  },
  {
    name: 'makes a packet socket',
    under: 'none',
    script: 'perl -e \'socket(S, 17, 3, 768) ? print "made" : print "$!"\'',
    left: /not supported|not permitted/,
  },
  {
    name: 'talks to the host of a virtual machine (vsock)',
    under: 'none',
    script: 'perl -e \'socket(S, 40, 1, 0) ? print "made" : print "$!"\'',
    left: /not supported/,
  },
  {
    name: 'makes a socket of each other family',
    under: 'none',
    script:
      'perl -e \'for (0..63) { next if $_ == 1 || $_ == 2 || $_ == 10 || $_ == 16; print "made $_ " if socket(S, $_, 1, 0) || socket(S, $_, 2, 0) || socket(S, $_, 3, 0) || socket(S, $_, 5, 0) } print "none"\'',
    left: /^none/,
  },
  {
    name: 'makes sockets through io_uring',
    under: 'none',
    script: 'perl -e \'my $b = "\\0" x 120; print syscall(425, 1, $b) >= 0 ? "made" : "$!"\'',
    left: /not implemented/,
  },
  {
    name: 'makes a network device',
    under: 'none',
    script:
      'ip link add dummy0 type dummy 2>&1; ip addr add 10.9.9.9/24 dev lo 2>&1; ip route add default dev lo 2>&1',
    left: /not permitted/,
  },
  {
    name: 'enters the network of a process outside',
    under: 'none',
    script:
      'for p in 1 $PPID $(ls /proc | grep -E "^[0-9]+$" | head -50); do nsenter --net=/proc/$p/ns/net $REACH tcp 127.0.0.1 $SECRET 2>/dev/null; done; echo over',
    left: /^over$/m,
  },
  {
    name: 'becomes root of a namespace of its own first',
    under: 'none',
    script:
      'unshare --user --map-root-user sh -c "nsenter --net=/proc/1/ns/net $REACH tcp 127.0.0.1 $SECRET; ip link set lo down" 2>&1; echo over',
    left: /^over$/m,
  },
  {
    name: 'makes a network of its own',
    under: 'none',
    script:
      'unshare --user --map-root-user --net sh -c "ip link set lo up; $REACH tcp 127.0.0.1 $SECRET" 2>&1; echo over',
    left: /^over$/m,
  },
  {
    name: 'looks for files that were left open',
    under: 'none',
    script:
      'for f in /proc/$$/fd/*; do case ${f##*/} in 0|1|2) ;; *) readlink $f | grep socket;; esac; done; echo over',
    left: /^over\n$/,
  },

  {
    name: 'goes past the proxy',
    under: 'allow',
    script: 'env -u http_proxy $REACH tcp 127.0.0.1 $SECRET',
    left: rejected,
  },
  {
    name: 'goes past the proxy by IPv6',
    under: 'allow',
    script: '$REACH tcp ::1 $SECRET',
    left: unreachable,
  },
  {
    name: 'asks for a tunnel to a port that is not listed',
    under: 'allow',
    script: connectTo('127.0.0.1:$SECRET'),
    left: notListed,
  },
  {
    name: 'asks for a page of a port that is not listed',
    under: 'allow',
    script: getFrom('http://127.0.0.1:$SECRET/', '127.0.0.1:$SECRET'),
    left: notListed,
  },
  {name: 'asks by IPv6', under: 'allow', script: connectTo('[::1]:$SECRET'), left: notListed},
  {
    name: 'asks by IPv4 inside of IPv6',
    under: 'allow',
    script: connectTo('[::ffff:127.0.0.1]:$SECRET'),
    left: notListed,
  },
  {
    name: 'asks by the hexadecimal form of that',
    under: 'allow',
    script: connectTo('[::ffff:7f00:1]:$SECRET'),
    left: notListed,
  },
  {
    name: 'asks for every address',
    under: 'allow',
    script: connectTo('0.0.0.0:$SECRET'),
    left: notListed,
  },
  {
    name: 'asks for every address by IPv6',
    under: 'allow',
    script: connectTo('[::]:$SECRET'),
    left: notListed,
  },
  {
    name: 'writes the address as one number',
    under: 'allow',
    script: connectTo('2130706433:$SECRET'),
    left: noHost,
  },
  {
    name: 'writes the address in hexadecimal',
    under: 'allow',
    script: connectTo('0x7f000001:$SECRET'),
    left: noHost,
  },
  {
    name: 'writes the address in octal',
    under: 'allow',
    script: connectTo('0177.0.0.1:$SECRET'),
    left: noHost,
  },
  {
    name: 'writes the address shorter',
    under: 'allow',
    script: connectTo('127.1:$SECRET'),
    left: noHost,
  },
  {
    name: 'names this machine in capitals, with a dot',
    under: 'allow',
    script: connectTo('LOCALHOST.:$SECRET'),
    left: notListed,
  },
  {
    name: 'names this machine as somebody below it',
    under: 'allow',
    script: connectTo('x.localhost:$SECRET'),
    left: notListed,
  },
  {
    name: 'names a listed host as a login',
    under: 'allow',
    script: getFrom('http://127.0.0.1:$LISTED@127.0.0.1:$SECRET/', '127.0.0.1:$SECRET'),
    left: noHost,
  },
  {
    name: 'hides the port behind a backslash',
    under: 'allow',
    script: getFrom('http://127.0.0.1:$SECRET\\\\\\\\@127.0.0.1:$LISTED/', '127.0.0.1:$LISTED'),
    left: noHost,
  },
  {
    name: 'names one host in the address and another in the header',
    under: 'allow',
    script: getFrom('http://127.0.0.1:$LISTED/', '127.0.0.1:$SECRET'),
    left: noHost,
  },
  {
    name: 'asks for the secret over a connection that was good for another',
    under: 'allow',
    script: proxied(
      'GET http://127.0.0.1:$LISTED/ HTTP/1.1\\r\\nHost: 127.0.0.1:$LISTED\\r\\n\\r\\nGET http://127.0.0.1:$SECRET/ HTTP/1.1\\r\\nHost: 127.0.0.1:$SECRET\\r\\n\\r\\n',
    ),
    left: /HTTP\/1\.1 403 |hello/,
  },
  {
    name: 'smuggles a request in the body of another',
    under: 'allow',
    script: proxied(
      'POST http://127.0.0.1:$LISTED/ HTTP/1.1\\r\\nHost: 127.0.0.1:$LISTED\\r\\nContent-Length: 6\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET http://127.0.0.1:$SECRET/ HTTP/1.1\\r\\nHost: 127.0.0.1:$SECRET\\r\\n\\r\\n',
    ),
    left: noHost,
  },
  {
    name: 'asks the proxy for itself',
    under: 'allow',
    script: connectTo('127.0.0.1:61080'),
    left: notListed,
  },
  {
    name: 'asks by SOCKS',
    under: 'allow',
    script: proxied(`\\x05\\x01\\x00\\x05\\x01\\x00\\x01\\x7f\\x00\\x00\\x01${socksPort}`),
    left: /^socks 05000502/,
  },
  {
    name: 'asks by SOCKS and a name with a NUL',
    under: 'allow',
    script: proxied(`\\x05\\x01\\x00\\x05\\x01\\x00\\x03\\x0blocalhost\\x00x${socksPort}`),
    left: /^socks 05000502/,
  },
  {
    name: 'lets SOCKS listen outside',
    under: 'allow',
    script: proxied(`\\x05\\x01\\x00\\x05\\x02\\x00\\x01\\x7f\\x00\\x00\\x01${socksPort}`),
    left: /^socks 05000507/,
  },
  {
    name: 'lets SOCKS send datagrams',
    under: 'allow',
    script: proxied(`\\x05\\x01\\x00\\x05\\x03\\x00\\x01\\x7f\\x00\\x00\\x01${socksPort}`),
    left: /^socks 05000507/,
  },
  {
    name: 'asks for the metadata of a cloud',
    under: 'allow',
    script: getFrom('http://169.254.169.254/latest/', '169.254.169.254'),
    left: notListed,
  },
  {
    name: 'speaks to the supervisor over the channel of the bridge',
    under: 'allow',
    script:
      'for f in /proc/$$/fd/*; do case ${f##*/} in 0|1|2) ;; *) readlink $f | grep socket;; esac; done; echo "channel:$NODE_CHANNEL_FD"; echo "{}" >&3',
    left: /^channel:\n.*[Bb]ad file descriptor/s,
  },
  {
    name: 'looks into the supervisor',
    under: 'allow',
    script:
      'for p in $(ls /proc | grep -E "^[0-9]+$"); do tr "\\0" " " < /proc/$p/cmdline 2>/dev/null | grep -q "^[^ ]*node.*network.cjs[ ]supervise" && { readlink /proc/$p/fd/*; cat /proc/$p/environ /proc/$p/mem; }; done 2>/dev/null; echo over',
    left: /^over\n$/,
  },
  {
    name: 'reads what the supervisor was told',
    under: 'allow',
    script:
      'cat "$HOME/../state/session/network.json" 2>&1; echo "{}" > "$HOME/../state/session/network.json"',
    left: /No such file|Permission denied/,
  },
];
