"""The Trainer of transformers: where a file makes one, with which arguments, for which kind of model."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definition, returned
from memlint.analysis.dataflow.value_sources import expressions_behind
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.tree import dotted, root_name, statements

_TRAINER = pattern(
    r"^(transformers\.(trainer\.|trainer_seq2seq\.)?(Seq2Seq)?Trainer|trl\.(trainer\.)?(\w+\.)*SFTTrainer)$"
)
_ARGUMENTS = pattern(
    r"^(transformers\.(training_args\.|training_args_seq2seq\.)?(Seq2Seq)?TrainingArguments"
    r"|trl\.(trainer\.)?(\w+\.)*SFTConfig)$"
)
_KEEPS_LOGITS = frozenset({"prediction_step", "evaluation_loop", "evaluate", "prediction_loop"})
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Training:
    """One Trainer that a file makes.

    `arguments` is the call of TrainingArguments, None where it cannot be seen; `model` the dotted name of
    the model's class, "" if not known; `own` tells that a class of the file changes how it evaluates.
    """

    call: cst.Call
    name: str
    given: dict[str, cst.Arg]
    arguments: cst.Call | None
    model: str
    own: bool


def trainings(model: ScriptModel) -> Iterator[Training]:
    """Every Trainer of transformers that a file makes, by itself or through a class of the file."""
    if not model.imports("transformers", "trl"):
        return
    for call in model.names.calls:
        name = dotted(call.func).rpartition(".")[2]
        found = _trainer_class(model, call.func)
        if found is None or any(arg.star for arg in call.args):
            continue
        given = _named(call)
        yield Training(
            call,
            name,
            given,
            _arguments(model, given["args"].value) if "args" in given else None,
            _model_class(model, given),
            found,
        )


def _named(call: cst.Call) -> dict[str, cst.Arg]:
    positions = ("model", "args", "data_collator", "train_dataset", "eval_dataset")
    found = dict(zip(positions, (a for a in call.args if a.keyword is None), strict=False))
    return found | {arg.keyword.value: arg for arg in call.args if arg.keyword is not None}


def _trainer_class(model: ScriptModel, func: cst.BaseExpression, depth: int = 0) -> bool | None:
    """Whether a Trainer evaluates in its own way; None for anything that is no Trainer."""
    if _TRAINER.match(model.names.one(func)):
        return False
    owner = definition(model, func) if depth < _DEPTH else None
    if not isinstance(owner, cst.ClassDef):
        return None
    kinds = [_trainer_class(model, base.value, depth + 1) for base in owner.bases]
    if all(kind is None for kind in kinds):
        return None
    names = {n.name.value for n in statements(owner.body) if isinstance(n, cst.FunctionDef)}
    return any(kinds) or bool(names & _KEEPS_LOGITS)


def _sources(model: ScriptModel, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions that a value may come from, through functions of the project as well."""
    return [found for found in expressions_behind(model, node) if isinstance(found, cst.BaseExpression)]


def same_place(model: ScriptModel, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether two names or attributes are those of one variable, `self` being that of one class."""
    if not dotted(one) or dotted(one) != dotted(other):
        return False
    root = root_name(one)
    if root == "self":
        return model.class_of(one) is model.class_of(other)
    scopes = model.names.scope_of(one), model.names.scope_of(other)
    return scopes[0].owner(root) is scopes[1].owner(root)


def _arguments(model: ScriptModel, node: cst.BaseExpression) -> cst.Call | None:
    found = _sources(model, node)
    call = found[0] if len(found) == 1 else None
    return call if isinstance(call, cst.Call) and _ARGUMENTS.match(model.path_of(call.func)) else None


def _model_class(model: ScriptModel, given: dict[str, cst.Arg]) -> str:
    if "model" in given:
        nodes = _sources(model, given["model"].value)
    elif "model_init" in given:
        init = given["model_init"].value
        made = definition(model, init)
        given_back = returned(model, made) if isinstance(made, cst.FunctionDef) else []
        nodes = [found for value in given_back for found in _sources(model, value)]
        nodes += _sources(model, init.body) if isinstance(init, cst.Lambda) else []
    else:
        return ""
    names = {found for node in nodes if (found := _class_name(model, node))}
    return names.pop() if len(names) == 1 else ""


def _class_name(model: ScriptModel, node: cst.BaseExpression, depth: int = 0) -> str:
    """The class behind `Class.from_pretrained(...)`, `Class(...)`, `.to(...)` and wrappers around a model."""
    if not isinstance(node, cst.Call) or depth > _DEPTH:
        return ""
    path = model.path_of(node.func)
    if path.startswith("transformers."):
        parts = [part for part in path.split(".") if part[:1].isupper()]
        return parts[-1] if parts else ""
    if isinstance(node.func, cst.Attribute) and not path:
        inner = [f for f in _sources(model, node.func.value) if f is not node]
        return next((c for f in inner if (c := _class_name(model, f, depth + 1))), "")
    if path.startswith(("peft.", "torch.")) and node.args:
        inner = [f for f in _sources(model, node.args[0].value) if f is not node]
        return next((c for f in inner if (c := _class_name(model, f, depth + 1))), "")
    return ""
