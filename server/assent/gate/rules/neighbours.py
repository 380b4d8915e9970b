"""Commands and paths similar to a rule's, which show a person what else it would cover.

They are only candidates: whoever shows them asks the policy which of them the rule covers.
"""

import shlex
from collections.abc import Iterator
from typing import Final

from assent.gate.rules.written_rules import WrittenRule

__all__ = ["MAX_EXAMPLES", "neighbours_of"]

MAX_EXAMPLES: Final = 3
"""More examples of a kind than that say nothing new."""

_TELLING: Final[dict[str, tuple[str, ...]]] = {
    "git push": ("git push origin main", "git push --force", "git push origin :main"),
    "git commit": ("git commit --amend", "git commit --all", "git commit --no-verify"),
    "git checkout": ("git checkout main", "git checkout -- .", "git checkout --force main"),
    "git reset": ("git reset HEAD~1", "git reset --hard", "git reset --hard origin/main"),
    "git branch": ("git branch new", "git branch -D old"),
    "git stash": ("git stash pop", "git stash drop", "git stash clear"),
    "git rebase": ("git rebase main", "git rebase --onto main"),
    "git clean": ("git clean -n", "git clean -fdx"),
    "git pull": ("git pull --rebase", "git pull origin main"),
    "git add": ("git add .", "git add --all", "git add --force build"),
    "git remote": ("git remote -v", "git remote set-url origin https://example.org"),
    "npm run": ("npm run build", "npm run deploy", "npm run release"),
    "npm install": ("npm install left-pad", "npm install --global left-pad"),
    "npm test": ("npm test -- --watch", "npm test --workspaces"),
    "npm publish": ("npm publish --access public", "npm publish --tag next"),
    "pnpm run": ("pnpm run build", "pnpm run deploy"),
    "yarn run": ("yarn run build", "yarn run deploy"),
    "pip install": ("pip install requests", "pip install --user requests"),
    "docker run": ("docker run alpine", "docker run --privileged alpine"),
    "docker compose": ("docker compose up", "docker compose down --volumes"),
    "kubectl get": ("kubectl get pods", "kubectl get secrets --all-namespaces"),
    "kubectl delete": ("kubectl delete pod one", "kubectl delete namespace prod"),
    "cargo run": ("cargo run --release", "cargo run --bin other"),
    "make": ("make install", "make clean", "make deploy"),
    "rm": ("rm notes.txt", "rm -r src", "rm -rf ."),
    "mv": ("mv a.txt b.txt", "mv src ../other"),
    "cp": ("cp a.txt b.txt", "cp -r src ../other"),
    "chmod": ("chmod +x run.sh", "chmod -R 777 ."),
    "mkdir": ("mkdir out", "mkdir -p a/b/c"),
    "touch": ("touch a.txt", "touch src/new.py"),
    "pytest": ("pytest tests/one.py", "pytest --pdb"),
    "gh pr": ("gh pr list", "gh pr merge 7", "gh pr close 7"),
}
"""Of the commands that are asked about most: what the words of a rule let through, too."""

_SIBLINGS: Final[dict[str, tuple[str, ...]]] = {
    "git": ("git push", "git commit", "git reset --hard", "git clean -fd"),
    "npm": ("npm publish", "npm install left-pad", "npm run deploy"),
    "pnpm": ("pnpm publish", "pnpm install left-pad", "pnpm run deploy"),
    "yarn": ("yarn publish", "yarn add left-pad", "yarn run deploy"),
    "pip": ("pip install requests", "pip uninstall requests"),
    "docker": ("docker run alpine", "docker push image", "docker system prune"),
    "kubectl": ("kubectl delete pod one", "kubectl apply -f all.yaml"),
    "cargo": ("cargo publish", "cargo install ripgrep", "cargo run"),
    "go": ("go install example.org/x@latest", "go run ."),
    "make": ("make install", "make deploy", "make clean"),
    "gh": ("gh pr merge 7", "gh repo delete", "gh release create v1"),
    "terraform": ("terraform apply", "terraform destroy"),
}


def neighbours_of(rule: WrittenRule) -> tuple[str, ...]:
    """Examples near a rule: commands where it is about commands, else paths; each once.

    >>> from assent.gate.rules.notation import written
    >>> from assent.gate.call.verdicts import Verdict
    >>> neighbours_of(written("shell(git stash:*)", Verdict.ALLOW))[:3]
    ('git stash pop', 'git stash drop', 'git stash clear')
    >>> neighbours_of(written("write(./docs/**)", Verdict.ALLOW))
    ('./docs/notes.txt', './docs/src/one.py', './docs/.env', './other.txt', '~/notes.txt')
    """
    if not rule.words:
        return tuple(dict.fromkeys(_paths(rule)))
    given = "".join(f"{name}={shlex.quote(value)} " for name, value in rule.variables)
    return tuple(dict.fromkeys(f"{given}{command}" for command in _commands(rule)))


def _commands(rule: WrittenRule) -> Iterator[str]:
    words = rule.words
    whole = " ".join(words)
    if rule.exact:
        yield from (f"{whole} --force", f"{whole} more")
    else:
        yield from _TELLING.get(whole, (f"{whole} --all", f"{whole} --force", f"{whole} more"))
    yield from _SIBLINGS.get(words[0], ())
    first, *others = words
    if others:
        yield " ".join(words[:-1])
    yield f"{first} something-else"


def _paths(rule: WrittenRule) -> Iterator[str]:
    """Paths in and beside what a rule about paths names."""
    if rule.tool not in {"read", "write"}:
        return
    pattern = rule.text.partition("(")[2].removesuffix(")")
    folder = pattern.rstrip("*").rpartition("/")[0] or "."
    yield from (f"{folder}/notes.txt", f"{folder}/src/one.py", f"{folder}/.env")
    above = folder.rpartition("/")[0]
    yield from (f"{above}/other.txt" if above else "./other.txt", "~/notes.txt")
