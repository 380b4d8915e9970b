"""Changing a program that is started later is asked about, in whichever way it would be changed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.cli.explain import answers
from assent.gate.call.calls import Call, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.settings.own import Own
from assent.gate.settings.started_later import started_later
from assent.gate.settings.tool_servers import ServerEntry
from gate.ruling.premises import Ground, build, commands, policies, run, writes
from gate.ruling.test_cases import cases_of, line_of
from gate.ruling.world import World
from gate.ruling.world import build as build_world
from gate.settings.test_started_later import plant

WAYS = r"""
echo x > @
echo x >> @
cp a.txt @
mv a.txt @
ln -sf ../a.txt @
tee @ < a.txt
sed -i s/a/b/ @
install a.txt @
dd if=a.txt of=@
curl -o @ https://x.org
patch @ a.txt
rm @
cd $(dirname @) && echo x > $(basename @)
""".strip().splitlines()
"""Ways to change a file; `@` is the file."""

PATCH = "--- a/{0}\n+++ b/{0}\n@@ -0,0 +1 @@\n+x\n"

PATCHES = ("git apply", "git apply --index -p1", "patch -p1", "git apply --recount -", "git am")

TOGETHER = r"""
sed -i s/a/b/ tools/*.py
sed -i s/a/b/ tools/l*.py
sed -i s/a/b/ */srv.py
for f in tools/*; do echo x > "$f"; done
find . -name lib.py -exec sed -i s/a/b/ {} +
find . -name '*.py' -exec sed -i s/a/b/ {} +
find tools -type f | xargs sed -i s/a/b/
rg -l import | xargs sed -i s/a/b/
mv tools old
rm -rf tools
cp -r src tools
rsync -a src/ tools/
tar -C tools -xf a.tar
""".strip().splitlines()
"""Ways to change one among others."""

BESIDE = r"""
echo x > tools/README.md
cp a.txt tools/notes.txt
sed -i s/a/b/ src/*.py
sed -i s/a/b/ tools/*.md
find . -name '*.log' -delete
find . -name '*.md' -exec sed -i s/a/b/ {} +
fd -e ts -x sed -i s/a/b/
rm -rf **/__pycache__
python3 tools/srv.py --help
cat tools/srv.py tools/lib.py
grep -rn x tools
cd tools && ls
rm -rf build dist
cp src/app.py .
docker build .
git checkout .
git pull
""".strip().splitlines()
"""What agents do all day in such a workspace."""


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    found = build(tmp_path_factory.mktemp("ground"))
    plant(found.root, {"tools/srv.py": "import lib\n", "tools/lib.py": "", "src/b.py": ""})
    server = ServerEntry(name="mine", command="python3", args=(f"{found.root}/tools/srv.py",))
    started = started_later((), (), Own(servers=(server,)), [str(found.root)])
    roots = (str(found.root),)
    places = Places(roots=roots, home=str(found.home), premises=Premises.of(started, roots))
    return Ground(
        root=found.root,
        home=found.home,
        premises=tuple(started),
        places=places,
        ordinary=found.ordinary,
    )


def calls_on(ground: Ground, path: str) -> Iterator[tuple[str, Call]]:
    """The calls that change a file."""
    for how, call in writes(ground, path):
        # An edit that cannot be made only reads.
        if call is not None and call.effect is not Effect.READ:
            yield how, call
    yield from commands(ground, path, WAYS)
    (ground.root / "x.patch").write_text(PATCH.format(path), "utf-8")
    for command in (
        "git apply x.patch",
        "cat x.patch | git apply --recount",
        "patch -p1 -i x.patch",
    ):
        yield command, run(ground, command)
    for program in PATCHES:
        yield program, run(ground, f"{program} <<'END'\n{PATCH.format(path)}END")


def test_a_program_and_what_it_loads_are_changed_by_no_tool_unasked(ground: Ground) -> None:
    for path in ("tools/srv.py", "tools/lib.py", "tools/new.py", "tools/deep/new.py"):
        for how, call in calls_on(ground, path):
            for mode, policy in policies(ground):
                verdict = decide(call, policy, ground.places).verdict
                assert verdict is not Verdict.ALLOW, (path, how, mode)


def test_nor_are_they_changed_among_others(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    for command in TOGETHER:
        verdict = decide(run(ground, command), loosest, ground.places).verdict
        assert verdict is Verdict.ASK, command


def test_what_lies_beside_them_is_changed_and_they_are_run_as_ever(ground: Ground) -> None:
    for name, policy in policies(ground):
        for command in BESIDE:
            call = run(ground, command)
            verdict = decide(call, policy, ground.places).verdict
            assert verdict is decide(call, policy, ground.ordinary).verdict, (command, name)


def test_a_workspace_with_a_server_of_its_own_is_an_ordinary_one(tmp_path: Path) -> None:
    world: World = build_world(tmp_path)
    plant(world.workspace, {"tools/served/srv.py": "import json\n"})
    roots, home = (str(world.workspace),), str(world.home)
    file = f"{world.workspace}/tools/served/srv.py"
    own = Own(servers=(ServerEntry(name="mine", command="python3", args=(file,)),))
    premises = Premises.of(started_later((), (), own, roots), roots)
    cases = [it for it in cases_of("everyday")[::23] if "call" in it]
    lines = [
        json.dumps({**json.loads(line_of(it, world)), "policy": {"mode": "auto"}}) for it in cases
    ]
    policy = Policy(mode=Mode.AUTO, trusted=True, now=2e9)
    before, after = (
        [it.get("verdict") for it in answers(iter(lines), places, policy)]
        for places in (
            Places(roots=roots, home=home),
            Places(roots=roots, home=home, premises=premises),
        )
    )
    told = zip(cases, before, after, strict=True)
    asked = [case["call"]["input"] for case, was, now in told if was != now]
    # What changes each file of its language, or any file, changes that one as well.
    assert [it for it in asked if not any(word in str(it) for word in ("xargs", "*.py"))] == []
