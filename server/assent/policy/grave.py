"""Questions that no mode lifts, with what a person should know of each before anything else."""

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from assent.bash.script import Command
from assent.calls import Target
from assent.policy.matter import asked
from assent.policy.paths import Place
from assent.policy.protected import LATER
from assent.programs.deeds import Kind
from assent.text.patterns import late
from assent.verdicts import Ruling

__all__ = [
    "asked_of_device",
    "asked_of_volume",
    "is_disk",
    "of_everything",
    "of_protected",
    "overwrites",
]

_VOLUMES: Final = {
    "zpool": ("destroy", "labelclear"),
    "zfs": ("destroy",),
    "btrfs": ("delete",),
    **dict.fromkeys(("lvremove", "vgremove", "pvremove", "vgreduce", "lvreduce"), ()),
    "cryptsetup": ("luksFormat", "luksErase", "erase", "reencrypt"),
    "mdadm": ("--zero-superblock", "--stop", "--create"),
}
"""Programs that take whole volumes away, with the words by one of which they do."""
_OF_VOLUME: Final = evolve(
    asked("What takes a volume of disks away is asked about in every mode."),
    grave="Takes away a volume of disks, with all that is on it.",
)

_WHOLE: Final = {".": "this workspace", "~": "your home", "/": "the whole system"}
"""What a path stands for that says nothing to somebody who reads in a hurry."""

_UNTOLD: Final = "…"
"""What stands in a path for something that only a run would tell."""
_HISTORY: Final = ".git"

_ANEW: Final = frozenset((">", ">|", "&>"))
_POURS: Final = frozenset(("tee", "gtee", "sponge"))
_APPENDS: Final = frozenset(("-a", "--append"))
_NOTHING: Final = "/dev/null"
"""What is copied, or linked, to where a file was leaves nothing of that."""

_SOCKET: Final = late(r"/dev/(?:tcp|udp)/[^/]")
_DISK: Final = late(r"/dev/(?:[shxv]d[a-z]|xvd|nvme|mmcblk|disk|rdisk|md|dm-|mapper/|loop|ram)")


def is_disk(path: str) -> bool:
    """Whether a path names a disk, or a part of one."""
    return _DISK.match(path) is not None


def asked_of_device(device: str, *, idle: bool = False) -> Ruling:
    """The question about writing to a device."""
    return evolve(asked(f"{device} is a device."), grave=None if idle else _comes_of(device))


def asked_of_volume(words: Sequence[str]) -> Ruling | None:
    """The question about what takes a pool or a volume away; None where these words do not."""
    name = words[0].rpartition("/")[2] if words else ""
    if name not in _VOLUMES or not (set(_VOLUMES[name]) or {name}) & {name, *words[1:]}:
        return None
    return _OF_VOLUME


def _comes_of(device: str) -> str:
    """What comes of writing to a device."""
    if _SOCKET.match(device):
        return f"Sends what it writes to {device.split('/')[3]}."
    if _DISK.match(device):
        return f"Overwrites the disk {device}: all that is on it is lost."
    return f"Writes to {device}."


def of_protected(place: str, *, removed: bool = False) -> Ruling:
    """The question about a change to a place that decides what is allowed."""
    untold = _UNTOLD in place and not place.strip(f"./{_UNTOLD}")
    named = "protected files among those it is given" if untold else _WHOLE.get(place, place)
    grave = f"{LATER}: {'may touch' if untold else 'touches'} {named}."
    if place == ".":
        grave = "May change anything in this workspace, and with that what is allowed later."
    if removed and place.rpartition("/")[2] == _HISTORY:
        grave = f"Removes all that git remembers. {grave}"
    if place == ".":
        named = "protected files of this workspace"
    may_be = "Possible changes" if untold or place == "." else "Changes"
    return evolve(asked(f"{may_be} to {named} are asked about in every mode."), grave=grave)


def of_everything(target: Target, *, removes: bool, found: bool = False) -> Ruling:
    """The question about what leaves nothing of a place, or finds there what it is to remove."""
    named = _WHOLE.get(target.shown, target.shown)
    what = f"whatever is found in {named}" if found else f"everything in {named}"
    because = f"This reaches {what}, which is asked about in every mode."
    return evolve(asked(because), grave=f"{'Removes' if removes else 'Changes'} {what}.")


def overwrites(command: Command, place: Place) -> bool:
    """Whether a file has nothing in it any more of what it had, whatever that was."""
    if place.kind is not Kind.WRITE:
        return False
    if place.redirect:
        anew = (it.target.text for it in command.redirects if it.operator in _ANEW)
        return place.spelled in anew
    words = {it.text for it in command.argv}
    poured = command.program in _POURS and words.isdisjoint(_APPENDS)
    return poured or _NOTHING in words
