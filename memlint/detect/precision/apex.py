"""Moving a script from NVIDIA Apex to torch.amp, where it is one model, one optimizer and one step."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use
from memlint.analysis.dataflow.import_statements import torch_name
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.match import AddImport, Change, Plan, Remove, Wrap
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.apex_names import moves_to_autocast
from memlint.detect.precision.apex_scaling import ApexScaling, gives_back, scaling
from memlint.detect.precision.native_scaling import native
from memlint.detect.precision.scaler_home import torch_needed
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, walk

_CAUTION = "training numbers change: torch's autocast chooses other operations than Apex"


def migration(table: Table, use: Use) -> Plan | None:
    """The whole change around one `with amp.scale_loss(...)`; None unless every use of Apex is understood."""
    model = table.model
    call = model.parent(use.node)
    found = scaling(model, call) if isinstance(call, cst.Call) else None
    start = _initialize(table, use)
    if found is None or start is None or len(_calls(model, f"{found.optimizer}.step")) != 1:
        return None
    if not moves_to_autocast(model, start):
        return None
    forward = _forward(model, found, _first_argument(start))
    scaled = native(model, found)
    if not forward or scaled is None:
        return None
    removed = _removals(table)
    if removed is None:
        return None
    torch = torch_name(model, found.statement)
    wrap: tuple[Change, ...] = (Wrap(forward, f'with {torch or "torch"}.autocast("cuda"):'),)
    imports = () if torch else (AddImport("import torch"),)
    changes = (*removed, Remove(start), *wrap, *scaled, *imports)
    needs = torch_needed(model, found)
    return Plan(Applicability.UNSAFE, "move to torch.amp", changes, _CAUTION, needs=needs)


def _initialize(table: Table, use: Use) -> cst.Assign | None:
    """The statement `model, opt = amp.initialize(model, opt, ...)`, if Apex is used for nothing else."""
    model = table.model
    others = [node for node in model.names.references("apex.*") if node is not use.node]
    if len(others) != 1 or model.names.one(others[0]) != "apex.amp.initialize":
        return None
    call = model.parent(others[0])
    line = model.parent(call) if isinstance(call, cst.Call) else None
    if not isinstance(call, cst.Call) or not isinstance(line, cst.Assign) or not gives_back(line, call):
        return None
    return line if _is_unconditional(model, line) and len(call.args) > 1 else None


def _is_unconditional(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether nothing but functions stands around a statement."""
    allowed = (cst.SimpleStatementLine, cst.IndentedBlock, cst.FunctionDef, cst.Module)
    return all(isinstance(above, allowed) for above in model.ancestors(node))


def _first_argument(line: cst.Assign) -> str:
    assert isinstance(line.value, cst.Call)
    return dotted(line.value.args[0].value)


def _removals(table: Table) -> list[Change] | None:
    """The removal of the imports of Apex; None where one shares its statement or stands in a branch."""
    changes: list[Change] = []
    for item in table.imports:
        if item.path.partition(".")[0] == "apex":
            names = item.statement.names
            if (
                isinstance(names, cst.ImportStar)
                or len(names) != 1
                or not _is_unconditional(table.model, item.statement)
            ):
                return None
            changes.append(Remove(item.statement))
    return changes


def _forward(model: ScriptModel, found: ApexScaling, module: str) -> tuple[cst.BaseStatement, ...]:
    """The statements from the forward pass to the one that makes the loss, in the block of the backward."""
    block = siblings(model, found.statement)
    before = block[: block.index(found.statement)] if found.statement in block else ()
    makes = [i for i, statement in enumerate(before) if _assigns(statement, found.loss)]
    runs = [i for i, statement in enumerate(before) if _calls_in(statement, module)]
    if not makes or not runs or min(runs) > max(makes):
        return ()
    region = before[min(runs) : max(makes) + 1]
    return tuple(s for s in region if isinstance(s, cst.BaseStatement))


def _assigns(statement: cst.CSTNode, name: str) -> bool:
    small: Sequence[cst.CSTNode] = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    return any(isinstance(s, cst.Assign) and any(dotted(t.target) == name for t in s.targets) for s in small)


def _calls_in(statement: cst.CSTNode, path: str) -> bool:
    return any(isinstance(n, cst.Call) and dotted(n.func) == path for n in walk(statement))


def _calls(model: ScriptModel, path: str) -> list[cst.Call]:
    return [call for call in model.names.calls if dotted(call.func) == path]
