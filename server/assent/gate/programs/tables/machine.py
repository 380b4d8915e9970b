"""Tools that report on the machine and its processes, and pagers."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.rows import Row

__all__ = ["MACHINE"]

MACHINE: Final = (
    Row(
        names="date gdate",
        operands=None,
        form="date",
        flags="-d= -f< -I? -j -n -R -r< -s=!may_change -u -v= -z= --date= --debug --file<"
        " --iso-8601? --reference< --resolution --rfc-3339= --rfc-email --rfc-2822"
        " --set=!may_change --universal --utc --help --version",
    ),
    Row(names="users", flags="--help --version"),
    Row(names="whoami logname tty arch", operands=None, flags="-s --silent --help --version"),
    Row(names="groups", operands=None, flags="--help --version"),
    Row(
        names="id",
        operands=None,
        flags="-a -g -G -n -p -P -r -u -Z -z --context --group --groups --name --real --user --zero"
        " --help --version",
    ),
    Row(
        names="uname",
        operands=None,
        flags="-a -i -m -n -o -p -r -s -v --all --hardware-platform --kernel-name --kernel-release"
        " --kernel-version --machine --nodename --operating-system --processor --help --version",
    ),
    Row(names="nproc", operands=None, flags="--all --ignore= --help --version"),
    Row(
        names="hostname",
        operands=None,
        max_read_operands=0,
        flags="-a -A -d -f -i -I -s -y -F<!may_change --file<!may_change -b!may_change"
        " --boot!may_change --alias --all-fqdns --all-ip-addresses --domain --fqdn --long"
        " --ip-address --short --nis --yp --help --version -V",
    ),
    Row(names="uptime", operands=None, flags="-p -s -h -V --pretty --since --help --version"),
    Row(
        names="ps",
        operands=None,
        form="ps",
        flags="-a -A -c= -C= -d -e -f -F -g= -G= -H -j -l -L -m -M -N -o= -O= -p= -q= -r -s= -S -t="
        " -T -u= -U= -v -V -w -x -X -y -Z -# --Group= --User= --pid= --ppid= --sid= --tty= --group="
        " --user= --cols= --columns= --rows= --width= --lines= --cumulative --forest --format="
        " --headers --no-headers --no-heading --sort= --deselect --context --info --quick-pid="
        " --help? --version",
    ),
    Row(
        names="lspci",
        operands=None,
        max_read_operands=0,
        flags="-b -d= -D -F< -k -m -n -P -q!sends -s= -t -v --help --version",
    ),
    Row(
        names="glxinfo",
        operands=None,
        max_read_operands=0,
        flags="-B -b -h -l -v -display=!connects_elsewhere",
    ),
    Row(
        names="pgrep",
        operands=None,
        flags="-a -A -c -d= -f -F< -g= -G= -i -I -l -L -n -o -O= -P= -q -r= -s= -t= -u= -U= -v -w"
        " -x"
        " --full --list-name --list-full --newest --oldest --exact --count --ignore-case --parent="
        " --euid= --uid= --delimiter= --inverse --help --version -V",
    ),
    Row(names="pidof", operands=None, flags="-s -c -q -w -x -o= -S="),
    Row(names="pstree", operands=None, flags="-a -A -c -g -G -h -l -n -p -s -S -t -T -u -U -V -Z"),
    Row(
        names="free",
        operands=None,
        flags="-b -k -m -g -h -w -t -l -s= -c= -v -V --bytes --kibi --kilo --mebi --mega --gibi"
        " --giga --tebi --tera --human --lohi --si --total --wide --committed --seconds= --count="
        " --help --version",
    ),
    Row(
        names="lscpu",
        operands=None,
        flags="-a -b -B -c -C? -e? -h -J -p? -V -x -y --all --bytes --caches? --extended? --hex"
        " --json --offline --online --output-all --parse? --physical --help --version",
    ),
    Row(
        names="blkid",
        operands=Kind.LOOK,
        flags="-d -D -g -h -H= -i -k -l -L= -n= -o= -O= -p -s= -S= -t= -u= -U= -V"
        " --no-encoding --no-part-details --garbage-collect --help --hint= --info"
        " --list-filesystems --list-one --label= --match-types= --output= --offset= --probe"
        " --match-tag= --size= --match-token= --usages= --uuid= --version",
    ),
    Row(
        names="lsblk",
        operands=None,
        flags="-a -A -b -d -D -e= -E= -f -h -i -I= -J -l -m -M -n -N -o= -O -p -P -r -s -S -t -T?"
        " -v"
        " -V -w= -x= -y -z --all --ascii --bytes --fs --json --list --nodeps --noheadings --output="
        " --output-all --paths --perms --raw --topology --tree? --help --version",
    ),
    Row(
        names="who",
        flags="-a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --count --dead --heading"
        " --ips --login --lookup --message --mesg --process --runlevel --short --time --users"
        " --writable --help --version",
    ),
    Row(names="w", operands=None, flags="-f -h -i -o -p -s -u"),
    Row(
        names="vmstat iostat mpstat", operands=None, flags="-a -d -D -f -m -n -s -t -w -x -y -z -P="
    ),
    Row(names="locale", operands=None, flags="-a -c -k -m -v --all-locales --charmaps --help"),
    Row(names="getconf", operands=None, flags="-a -v="),
    Row(names="sw_vers", operands=None, flags="-productName -productVersion -buildVersion"),
    Row(names="lsb_release", operands=None, flags="-a -c -d -i -r -s -v --all --short --codename"),
    Row(
        names="lsof",
        operands=Kind.LOOK,
        form="sockets",
        flags="-a -b -c= -d= -h -i? -l -n -N -o -O -p= -P -R -s? -t -u= -U -v -V -w -X -F?",
    ),
    Row(
        names="netstat",
        operands=None,
        flags="-a -c -e -F -g -i -l -n -N -o -p -r -s -t -u -v -w -W -x -4 -6 --all --listening"
        " --numeric --program --programs --tcp --udp --route --statistics --interfaces --wide",
    ),
    Row(
        names="ss",
        operands=None,
        form="sockets",
        flags="-0 -4 -6 -a -b -e -E -h -H -i -l -m -M -n -N= -o -O -p -q -s -S -t -T -u -V -w -W -x"
        " -z -Z -D> -K!may_change --all --listening --numeric --processes --tcp --udp --unix -A="
        " -f= --query= --socket= --family= --summary --extended --memory --info --no-header"
        " --oneline --options --ipv4 --ipv6 --diag> --kill!may_change --help --version",
    ),
    Row(
        names="ulimit",
        operands=None,
        max_read_operands=0,
        flags="-a -H -S -n -u -s -c -d -f -m -t -v -l -p",
    ),
    Row(
        names="journalctl",
        operands=None,
        reads=False,
        flags="-u= -n= -f -e -x -b? -k -o= -p= --no-pager --since= --until= --unit= --lines="
        " --vacuum-size=!deletes --vacuum-time=!deletes --vacuum-files=!deletes --rotate!may_change"
        " --flush!may_change --cursor-file> -D< --directory< --file< --root< --image<!may_change",
    ),
    Row(
        names="less more most",
        reads=False,
        form="pager",
        flags="-e -E -f -F -i -I -m -M -n -N -q -Q -r -R -s -S -u -X -g -G -J -w -W -c -C -d -o>"
        " -O> -k<!runs --log-file> --LOG-FILE> --lesskey-file<!runs --lesskey-src<!runs"
        " --lesskey-content=!runs --RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines"
        " --no-init --quit-if-one-screen --quit-at-eof --LINE-NUMBERS --line-numbers --help"
        " --version -# -V",
    ),
    Row(
        names="man",
        reads=False,
        operands=None,
        form="man",
        flags="-a -f -k -K -w -W -s= -S= -I -i -c -7 -t -u --all --whatis --apropos --where --path"
        " --location --sections= --ascii -P=!runs --pager=!runs -H?!runs --html?!runs -C<!runs"
        " --config-file<!runs -M<!runs --manpath<!runs -p=!runs --preprocessor=!runs -X?!runs"
        " --gxditview?!runs -T? -Z --troff-device? -l< --local-file< -r= --prompt= -R= --recode="
        " -L= --locale= -m= --systems= -e= --extension= --regex --wildcard --names-only --help"
        " --usage --version -D -d --debug --default --warnings? --no-hyphenation -E= --encoding=",
    ),
    Row(names="info", operands=None, reads=False, flags="-o> --output> -f< --file<"),
)
