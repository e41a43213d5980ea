"""The names of a checkpoint and of its parts, and what reads of them are for."""

from __future__ import annotations

from itertools import chain

import libcst as cst

from memlint.analysis.dataflow.liveness import Variable
from memlint.analysis.model import ScriptModel
from memlint.detect.checkpoints.checkpoint_uses import use_of
from memlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """The names of a checkpoint and of its parts that go into load_state_dict, and their reads.

    `fed` says whether a module takes one of them; `lines` are the statements that give the first name the
    checkpoint, or a part of it.
    """

    names: list[Variable]
    reads: list[cst.Name]
    fed: bool
    lines: list[cst.CSTNode]


def use_followed(model: ScriptModel, node: cst.CSTNode) -> str:
    """What a read is for, followed through the local name that it may give to a part."""
    use, part = use_of(model, node)
    if use != "part" or part is None:
        return "other" if use in ("part", "boxed") else use
    inner = [use_of(model, n)[0] for names in part.reads.values() for n in names]
    if part.captured or any(kind in ("other", "part", "boxed") for kind in inner):
        return "other"
    return "model" if "model" in inner else "optimizer" if "optimizer" in inner else "small"


def family_of(model: ScriptModel, loaded: Variable, assign: cst.Assign) -> Family:
    """A checkpoint and its parts.

    No module is found where the checkpoint serves anything else: its tensors are then in use.
    """
    names, reads, fed = [loaded], list[cst.Name](), False
    pending: list[tuple[Variable, cst.CSTNode]] = [(loaded, assign)]
    lines: list[tuple[Variable, cst.CSTNode]] = []
    while pending:
        name, binding = pending.pop()
        line = model.statement_of(binding)
        if line is None or (name, line) in lines:
            continue
        lines.append((name, line))
        for node in name.reads_after(line):
            use, part = use_of(model, node)
            reads.append(node)
            alone = part is not None and part not in names and not _serves(model, part, node)
            if use == "other" or (alone and (use == "boxed" or _is_whole(model, node))):
                return Family(names, reads, False, [])
            fed = fed or use == "model"
            if part is not None and (part in names or _serves(model, part, node)):
                names += [part] if part not in names else []
                pending.append((part, node))
    return Family(names, reads, fed, [line for name, line in lines if name is loaded])


def _serves(model: ScriptModel, part: Variable, given: cst.Name, depth: int = 3) -> bool:
    """Whether a part, or another that it goes into, is given to load_state_dict after the read that gave it
    its value: what is written at the end of an epoch may have the name of what was loaded."""
    line = model.statement_of(given)
    seen = line is not None and line in part.flow.ends
    reads = part.reads_after(line) if line is not None and seen else chain(*part.reads.values())
    uses = [(n, *use_of(model, n)) for n in reads]
    if any(use in ("model", "optimizer") for _, use, _ in uses):
        return True
    others = ((n, p) for n, use, p in uses if use in ("part", "boxed") and p is not None and p is not part)
    return depth > 0 and any(_serves(model, other, n, depth - 1) for n, other in others)


def _is_whole(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a read takes the checkpoint itself under another name."""
    return isinstance(model.parent(node), cst.Assign)
