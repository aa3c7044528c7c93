# Connects, says "approve", waits for the answer, and writes down how far it came.
# speak.pl SOCKET RESULT [leave | hand-on | relay | forge]
use strict;
use Socket;
my ($file, $result, $how) = (@ARGV, '', '');

sub note {
  open(my $out, '>', "$result.new") or return;
  print $out $_[0];
  close $out;
  rename "$result.new", $result;
}

sub dial {
  my ($name) = @_;
  socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or die;
  if (defined $name) { bind($socket, sockaddr_un($name)) or die "bind: $!" }
  if (!connect($socket, sockaddr_un($file))) { note("refused: $!"); exit 1 }
  return $socket;
}

my $said = $how eq 'relay' ? <STDIN> : "approve\n";
my $socket = dial();
my $second;
if ($how eq 'forge') {
  # A name that looks like a row of ss: the daemon's end of this connection would lead to somebody else.
  my $near = (stat $socket)[1];
  # Until the daemon has accepted the connection, its end has no number.
  my $far = 0;
  ($far) = `ss -xHn` =~ /\s$near +\* +(\d+)/ until $far;
  $second = dial("x\nu_str ESTAB 0 0 * $far * 1\nu_str ESTAB 0 0 x");
}
note('connected');
if ($how eq 'hand-on' && fork() != 0) { exit 0 }
syswrite($socket, $said);
if ($how eq 'leave') { exit 0 }
sysread($socket, my $answer, 1);
