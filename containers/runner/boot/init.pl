# Process 1 of a sandbox. Starts one program, reaps what is orphaned, tells the runner over descriptor 3 how the
# program ended, and goes; the kernel then ends every other process of the sandbox. Perl, because it is in every
# Debian image, starts in 2 ms and sees the raw wait status (a shell cannot tell exit 139 from a crash).
#
# With a command (an interpreter that waits for the job by itself) it starts that at once and leaves the job to it;
# without one it waits for the job and starts what that names. With "--landlock" first it is not process 1 and does
# itself what the kernel does for one: see landlock.pl.
#
# To the runner:    "ready\n" | "failed <errno>\n" (the program could not be executed) | "ended <wait status>\n"
#                   | "memory <kilobytes>\n" (now and then, with --landlock)
# From the runner:  length (4 bytes, big endian), then parts joined by NUL:
#                   "none" or "given" for stdin, the number of variables, each "NAME=value", the program, its arguments
# End of file instead of a job: this sandbox is not needed.
use strict;

open(my $control, '+<&=', 3) or die "init: no control descriptor: $!\n";
fcntl($control, 2, 1);    # F_SETFD, FD_CLOEXEC
# F_SETPIPE_SZ: Node drops what the pipe does not take at once when a script ends by process.exit().
fcntl(STDOUT, 1031, 1 << 20);

my $is_bare = @ARGV && $ARGV[0] eq '--landlock';
if ($is_bare) {
    shift(@ARGV);
    require($0 =~ s/init\.pl$/landlock.pl/r);
    landlock::prepare();
}

# Signals to the program's own group are not for what keeps the sandbox outside.
setpgrp(0, 0) if !$is_bare;

sub receive {
    my ($wanted, $got) = (shift, '');
    while (length($got) < $wanted) {
        sysread($control, $got, $wanted - length($got), length($got)) or exit 0;
    }
    return $got;
}

my ($stdin, $variables, @program) = ('given', 0, @ARGV);
if (!@program) {
    syswrite($control, "ready\n");
    ($stdin, $variables, @program) = split(/\0/, receive(unpack('N', receive(4))), -1);
}
for (splice(@program, 0, $variables)) {
    my ($name, $value) = split(/=/, $_, 2);
    $ENV{$name} = $value;
}

my $child = fork();
die "init: cannot fork: $!\n" unless defined $child;
if (!$child) {
    fcntl($control, 2, 0) if @ARGV;    # the interpreter reads its job there, and closes it
    open(STDIN, '<', '/dev/null') if $stdin eq 'none';
    # Short of memory, the kernel is to choose the program, not this process.
    if (open(my $score, '>', '/proc/self/oom_score_adj')) { print $score 500; close($score) }
    # Descriptors that the runner's own parent leaked are not for the program.
    opendir(my $open, '/proc/self/fd');
    for my $number (grep { /^\d+$/ && $_ > 3 } readdir($open)) {
        next if $number == fileno($open);
        if (open(my $leaked, '<&=', $number)) { close($leaked) }
    }
    if ($is_bare && !eval { landlock::confine(); 1 }) {
        syswrite(STDERR, $@);
        syswrite($control, "failed 1\n");    # EPERM
        exit 127;
    }
    exec { $program[0] } @program or syswrite($control, 'failed ' . ($! + 0) . "\n");
    exit 127;
}
if ($is_bare) {
    my $status = landlock::follow($child, sub { syswrite($control, "$_[0]\n") });
    syswrite($control, "ended $status\n") if defined $status;
    landlock::sweep();
} else {
    1 while wait() != $child;
    syswrite($control, "ended $?\n");
}
