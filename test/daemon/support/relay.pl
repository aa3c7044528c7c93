# relay.pl NEAR FAR: passes on what one client says, as socat does.
use strict;
use Socket;
my ($near, $far) = @ARGV;
socket(my $door, AF_UNIX, SOCK_STREAM, 0) or die;
bind($door, sockaddr_un($near)) or die;
listen($door, 1);
$| = 1;
print "relays\n";
accept(my $client, $door) or die;
socket(my $daemon, AF_UNIX, SOCK_STREAM, 0) or die;
connect($daemon, sockaddr_un($far)) or die;
if (fork() == 0) { while (sysread($daemon, my $bytes, 65536)) { syswrite($client, $bytes) } exit 0 }
while (sysread($client, my $bytes, 65536)) { syswrite($daemon, $bytes) }
