"""Writing a fused kernel in place of attention by hand: the statements from the scores to their product."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.analysis.dataflow.import_statements import name_of, torch_name
from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.fixes.rewrites import margin_of
from memlint.analysis.match import Change, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.writes_in_place import is_in_place
from memlint.detect.opportunities.attention_chains import absorbed
from memlint.detect.opportunities.attention_maps import Attention
from memlint.detect.opportunities.attention_products import values_of
from memlint.detect.opportunities.attention_recipes import Recipe, recipe
from memlint.finding import Applicability

CAUTION = "another kernel computes the same but for the last bits, and other random numbers in dropout"
_FUSED = "scaled_dot_product_attention"
_TITLE = "let a fused kernel compute it"
_WIDE = 80
_NEEDS = "2.1"
"""The torch from which the function takes a scale."""


def fused(model: ScriptModel, found: Attention) -> tuple[Plan, ...]:
    """The plan, if all between the product of queries and keys and that with the values has an argument."""
    known: dict[str, Recipe] = {}
    chain: list[cst.BaseStatement] = []
    used: set[str] = set()
    lines: list[tuple[cst.BaseStatement, str]] = []
    for statement in _block(model, found):
        ended = next(_ends(model, statement, found, known), None)
        if ended is not None:
            product, code = ended
            if not code or not _stays(model, lines, [*chain, product]):
                return ()
            changes: tuple[Change, ...] = (*map(Remove, chain), Replace(product, code))
            return (Plan(Applicability.UNSAFE, _TITLE, changes, CAUTION, _NEEDS),)
        line = absorbed(model, statement, found, known)
        if line is not None:
            lines.append(line)
            chain.append(statement)
            used |= {node.value for node in model.walk(statement) if isinstance(node, cst.Name)}
        elif not chain or not _is_beside(model, statement, used):
            return ()
    return ()


def _block(model: ScriptModel, found: Attention) -> Sequence[cst.BaseStatement]:
    """The statements from the one with the scores on."""
    first = model.statement_of(found.scores)
    block = model.parent(first) if first is not None else None
    body = block.body if isinstance(block, cst.IndentedBlock) else ()
    return body[body.index(first) :] if first in body else ()


def _ends(
    model: ScriptModel, statement: cst.BaseStatement, found: Attention, known: dict[str, Recipe]
) -> Iterator[tuple[cst.BaseExpression, str]]:
    """The product with the values in a statement, and what computes it."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return
    for node in model.walk(statement):
        if not isinstance(node, (cst.BinaryOperation, cst.Call)):
            continue
        product = values_of(model, node)
        made = recipe(model, product[0], found, known) if product is not None else None
        if product is not None and made is not None and made.weighed and not made.raised:
            yield node, _written(model, node, made, product[1], turned=product[2])


def _is_beside(model: ScriptModel, statement: cst.BaseStatement, used: set[str]) -> bool:
    """Whether a statement only binds names that what is moved below it does not read, and writes in place
    nowhere."""
    small = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    lines = [line for line in small if isinstance(line, cst.Assign)]
    if not lines or len(lines) != len(small):
        return False
    if any(is_in_place(call) for call in model.every(cst.Call, statement)):
        return False
    for target in (each.target for line in lines for each in line.targets):
        parts = [each.value for each in target.elements] if isinstance(target, cst.Tuple) else [target]
        if not all(isinstance(part, cst.Name) and part.value not in used for part in parts):
            return False
    return True


def _stays(
    model: ScriptModel, lines: Sequence[tuple[cst.BaseStatement, str]], inside: Sequence[cst.CSTNode]
) -> bool:
    """Whether nobody else reads what these lines bind."""
    within = {node for part in inside for node in model.walk(part)}
    for line, name in lines:
        found = variable(model, line, name)
        if found is None or found.captured or any(read not in within for read in found.reads_after(line)):
            return False
    return True


def _written(model: ScriptModel, node: cst.BaseExpression, made: Recipe, values: str, *, turned: bool) -> str:
    """The call of the fused kernel; "" where nothing in the file means torch."""
    torch = torch_name(model, node)
    owner = name_of("torch.nn.functional", model, node) or (f"{torch}.nn.functional" if torch else "")
    given = [made.query, made.key, values]
    given += [f"attn_mask={made.mask}"] if made.mask else []
    given += [f"dropout_p={made.dropout}"] if made.dropout else []
    given += [f"scale={made.scale or '1.0'}"]
    call = f"{owner}.{_FUSED}({', '.join(given)})"
    margin, step = margin_of(model, node), model.module.default_indent
    if len(margin) + len(call) > _WIDE:
        lines = [", ".join(given[:3]), *given[3:]]
        told = "".join(f"{margin}{step}{line},\n" for line in lines)
        call = f"{owner}.{_FUSED}(\n{told}{margin})"
    return (f"{call}.transpose(-2, -1)" if turned else call) if owner else ""
