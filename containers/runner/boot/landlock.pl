# What init.pl does itself where there are no namespaces that do it. It then stays root, out of reach of the run: it
# gives the program a user id of its own, takes away what it does not need, and ends whatever it leaves behind.
#
# Arguments: processor, user id, id of the one that ends its processes, file of limits, file of the call filter, its
# folder, then "<rights>=<path>" for each place that it may reach (r: read, x: execute too, w: write to a file,
# a: everything), "--".
package landlock;
use strict;

# x64, arm64. The numbers of Landlock are the same everywhere.
my %NUMBERS = (
    openat => [257, 56], kill => [62, 129], prctl => [157, 167], prlimit64 => [302, 261], setsid => [112, 157],
    setgroups => [116, 159], setresgid => [119, 149], setresuid => [117, 147], setfsuid => [122, 151],
    setfsgid => [123, 152], landlock_create_ruleset => [444, 444], landlock_add_rule => [445, 445],
    landlock_restrict_self => [446, 446],
);
my ($EXECUTE, $WRITE, $READ, $LIST, $TRUNCATE, $DEVICE) = (1, 2, 4, 8, 1 << 14, 1 << 15);
my $FOR_FILES = $EXECUTE | $WRITE | $READ | $TRUNCATE | $DEVICE;
my %RIGHTS = (
    r => $READ | $LIST, x => $READ | $LIST | $EXECUTE, w => $READ | $WRITE | $TRUNCATE | $DEVICE, a => (1 << 16) - 1,
);
# What each version of Landlock (1 to 5) can refuse.
my @HANDLED = map { (1 << $_) - 1 } 13, 14, 15, 15, 16;
my ($PROCESSES, $FILE_SIZE, $CORE) = (6, 1, 4);
my ($O_PATH_CLOEXEC, $HERE) = (010000000 | 02000000, -100);

my ($processor, $uid, $fence, $limits, $filter, $folder, @places);
my $is_over = 0;

sub call {
    my $name = shift;
    return syscall($NUMBERS{$name}[$processor], @_);
}

sub must {
    my $answer = call(@_);
    die "init: $_[0]: $!\n" if $answer == -1;
    return $answer;
}

# Takes its arguments from the front of @ARGV and becomes the parent of all that is orphaned in the run.
sub prepare {
    ($processor, $uid, $fence, $limits, $filter, $folder) = splice(@ARGV, 0, 6);
    $processor = $processor eq 'arm64' ? 1 : 0;
    $_ += 0 for $uid, $fence;          # syscall() passes a text as a pointer
    while (@ARGV) {
        my $place = shift(@ARGV);
        last if $place eq '--';
        push(@places, $place);
    }
    $SIG{TERM} = sub { $is_over = 1 };
    $SIG{CHLD} = sub { };
    $SIG{PIPE} = 'IGNORE';
    must('prctl', 36, 1, 0, 0, 0);     # PR_SET_CHILD_SUBREAPER
    sweep();                           # what a run left whose init was killed
}

# In the program's own process, before it is one.
sub confine {
    $SIG{$_} = 'DEFAULT' for 'TERM', 'CHLD', 'PIPE';
    $SIG{XFSZ} = 'IGNORE';             # a file that is too large is an error of its own, not a signal
    call('setsid');
    chdir($folder) or die "init: $folder: $!\n";
    my ($processes, $bytes) = split(' ', read_file($limits));
    limit($PROCESSES, $processes);
    limit($FILE_SIZE, $bytes);
    limit($CORE, 0);
    my $steps = read_file($filter);
    my $program = pack('S x6 P', length($steps) / 8, $steps);
    my $ruleset = ruleset();
    must('setgroups', 0, 0);
    must('setresgid', $uid, $uid, $uid);
    must('setresuid', $uid, $uid, $uid);
    must('prctl', 38, 1, 0, 0, 0);     # PR_SET_NO_NEW_PRIVS
    must('landlock_restrict_self', $ruleset, 0);
    must('prctl', 22, 2, $program);    # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
}

sub limit {
    my ($which, $most) = @_;
    must('prlimit64', 0, $which, pack('QQ', $most, $most), 0);
}

sub ruleset {
    my $version = must('landlock_create_ruleset', 0, 0, 1);
    my $handled = $HANDLED[$version > 5 ? 4 : $version - 1];
    # TCP from version 4 on; abstract sockets of others and signals to them from version 6 on.
    my $attributes = pack('QQQ', $handled, $version >= 4 ? 3 : 0, $version >= 6 ? 3 : 0);
    my $size = $version >= 6 ? 24 : $version >= 4 ? 16 : 8;
    my $ruleset = must('landlock_create_ruleset', $attributes, $size, 0);
    for (@places, 'r=/proc/self') {
        my ($kind, $path) = split(/=/, $_, 2);
        my $rights = $RIGHTS{$kind} & $handled;
        $rights &= $FOR_FILES unless -d $path;
        my $at = call('openat', $HERE, $path, $O_PATH_CLOEXEC, 0);
        next if $at == -1;             # not every machine has every place
        must('landlock_add_rule', $ruleset, 1, pack('Ql', $rights, $at), 0);
    }
    return $ruleset;
}

# Waits for the program and tells how much memory the run holds; answers its wait status, or nothing when it is to end
# or the runner is gone (a signal at its death would be lost with the change of user below).
sub follow {
    my ($child, $tell) = @_;
    my $runner = getppid();
    while (!$is_over && getppid() == $runner) {
        while ((my $pid = waitpid(-1, 1)) > 0) {    # WNOHANG
            return $? if $pid == $child;
        }
        $tell->('memory ' . resident($$));
        select(undef, undef, undef, 0.05);          # less when a child ends
    }
    return undef;
}

# Kilobytes of all processes below this one, files apart, what they share counted once. Read as the run's own user:
# root without further rights may not.
sub resident {
    my ($pid, $total) = (shift, 0);
    opendir(my $threads, "/proc/$pid/task") or return 0;
    my @children = map { split(' ', read_file("/proc/$pid/task/$_/children")) } grep { /\d/ } readdir($threads);
    for my $child (@children) {
        call('setfsgid', $uid);
        call('setfsuid', $uid);
        $total += $1 if read_file("/proc/$child/smaps_rollup") =~ /^Pss_Anon:\s+(\d+)/m;
        call('setfsuid', 0);
        call('setfsgid', 0);
        $total += resident($child);
    }
    return $total;
}

# Ends every process of the run's user until none is left. Who does it has an id of its own beside the run's: it can
# reach them, they cannot reach it.
sub sweep {
    while (1) {
        my $killer = fork();
        if (defined $killer && !$killer) {
            my $is_user = call('setresuid', $fence, $uid, $fence) == 0 && $< == $fence && $> == $uid;
            call('kill', -1, 9) if $is_user;
            kill('KILL', $$);
        }
        waitpid($killer, 0) if defined $killer;
        my $pid;
        1 while ($pid = waitpid(-1, 1)) > 0;
        return if $pid == -1;
        select(undef, undef, undef, 0.002);
    }
}

sub read_file {
    open(my $file, '<', shift) or return '';
    local $/;
    return readline($file) // '';
}

1;
