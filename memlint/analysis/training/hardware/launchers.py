"""What starts the ranks of a script: `torchrun`, or something that the script brings along."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from memlint.analysis.dataflow.definitions import option_of
from memlint.analysis.knowledge.patterns import pattern
from memlint.syntax.expressions import is_text

if TYPE_CHECKING:
    from memlint.analysis.model import ScriptModel

_PACKAGES = ("accelerate", "deepspeed", "horovod", "submitit", "ray", "lightning_fabric")
_SPAWNS = (
    "torch.multiprocessing.spawn",
    "torch.multiprocessing.spawn.spawn",
    "torch.multiprocessing.start_processes",
    "torch.multiprocessing.Process",
)

_STARTS = pattern(r"^(subprocess\.(Popen|run|call|check_call|check_output)|os\.spawn\w+)$")


def has_own_launcher(model: ScriptModel) -> bool:
    """Whether the script starts its ranks itself, or expects them from another launcher than `torchrun`.

    It spawns processes, starts itself as others, imports a package with a launcher, reads variables of SLURM,
    or takes the option `--local_rank`, which `torchrun` does not pass: it sets LOCAL_RANK.
    """
    if model.imports(*_PACKAGES) or any(model.names.references(path) for path in _SPAWNS):
        return True
    if any(_starts_the_script(model, call) for call in model.names.calls):
        return True
    if any(model.names.references(f"{package}.Fabric") for package in ("lightning", "lightning.fabric")):
        return True
    texts = model.names.every(cst.SimpleString)
    if any(isinstance(t.evaluated_value, str) and t.evaluated_value.startswith("SLURM_") for t in texts):
        return True
    takes = any(option_of(call) == "local_rank" for call in model.names.every(cst.Call))
    return takes and not any(is_text(text, "LOCAL_RANK") for text in texts)


def _starts_the_script(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call starts the script as another process: `Popen([sys.executable, __file__, ...])`."""
    if not _STARTS.match(model.path_of(call.func)):
        return False
    given = (part for arg in call.args for part in model.walk(arg.value))
    named = (part for part in given if isinstance(part, (cst.Name, cst.Attribute)))
    return any(
        part.value == "__file__" if isinstance(part, cst.Name) else model.path_of(part) == "sys.argv"
        for part in named
    )
