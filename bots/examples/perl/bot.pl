# Plays the last legal action before the pass: the longest lead or addition.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # no answer waits in a buffer

sub choose {
    my ($legal) = @_;
    my @plays = grep { $_->{type} ne 'pass' } @$legal;
    return @plays ? $plays[-1] : $legal->[0];
}

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $type    = $message->{type};
    if ($type eq 'hello') {
        print qq({"type":"ready"}\n);
    }
    elsif ($type eq 'turn') {
        print encode_json({type => 'move', turn => $message->{turn}, action => choose($message->{legal})}), "\n";
    }
    elsif ($type eq 'quit') {
        last;
    }
}
