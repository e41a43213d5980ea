"""Lightning: which classes its trainer drives, and with which of their methods."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.cross_module import unit_behind
from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import dotted, statements

_ROOT = r"^(lightning|pytorch_lightning)\."
_MODULE = re.compile(_ROOT + r"(\w+\.)*LightningModule$")
_STEPS = frozenset({"training_step", "validation_step", "configure_optimizers", "test_step"})
_CALLBACK = re.compile(_ROOT + r"(\w+\.)*Callback$")


def hook_classes(model: ScriptModel) -> list[cst.ClassDef]:
    """The LightningModules of a file: classes that inherit from one, directly or through another."""
    return _classes(model, _MODULE)


def callback_classes(model: ScriptModel) -> list[cst.ClassDef]:
    """The Lightning callbacks of a file."""
    return _classes(model, _CALLBACK)


def _classes(model: ScriptModel, wanted: re.Pattern[str]) -> list[cst.ClassDef]:
    if not _names_lightning(model) and model.cross_module is None:
        return []
    classes = model.names.every(cst.ClassDef)
    by_name = {node.name.value: node for node in classes}
    return [node for node in classes if _inherits(model, node, wanted, by_name, 0)]


def _names_lightning(model: ScriptModel) -> bool:
    return model.imports("lightning", "pytorch_lightning")


def _inherits(
    model: ScriptModel,
    node: cst.ClassDef,
    wanted: re.Pattern[str],
    known: dict[str, cst.ClassDef],
    depth: int,
) -> bool:
    for base in node.bases:
        if wanted.match(model.path_of(base.value)):
            return True
        above = known.get(dotted(base.value)) or _cross_module(model, base.value)
        if above is not None and depth < 5 and _inherits(model, above, wanted, known, depth + 1):
            return True
    steps = _STEPS & {method.name.value for method in methods(node)}
    return wanted is _MODULE and len(steps) > 1 and _names_lightning(model)


def _cross_module(model: ScriptModel, base: cst.BaseExpression) -> cst.ClassDef | None:
    """The class of another file of the project that a base names."""
    unit = unit_behind(model, base) if isinstance(base, (cst.Name, cst.Attribute)) else None
    return next((s for s in unit.body if isinstance(s, cst.ClassDef)), None) if unit is not None else None


def ancestors(model: ScriptModel, node: cst.ClassDef, depth: int = 0) -> list[cst.ClassDef]:
    """The classes of the file and of other files of the project that a class inherits from, nearest first."""
    found: list[cst.ClassDef] = []
    for base in node.bases if depth < 5 else ():
        name = dotted(base.value)
        own = next(
            (c for c in model.names.every(cst.ClassDef) if c.name.value == name and c is not node), None
        )
        above = own or _cross_module(model, base.value)
        if above is not None:
            found += [above, *ancestors(model, above, depth + 1)]
    return found


def methods(node: cst.ClassDef) -> list[cst.FunctionDef]:
    """The methods that a class defines itself."""
    return [found for found in statements(node.body) if isinstance(found, cst.FunctionDef)]


_EMPTIES = re.compile(
    r"^(\[\]|\{\}|(collections\.)?(defaultdict|OrderedDict)\(.*\)|list\(\)|dict\(\)|\{.*\[\].*\})$", re.DOTALL
)
_ONCE = re.compile(
    r"^(__init__|setup|on_fit_start|on_train_start|on_fit_end|on_train_end|teardown|configure_\w+)$"
)


def containers(model: ScriptModel, owner: cst.ClassDef) -> set[str]:
    """The names of the lists and dictionaries that a class starts empty in `self.name`, without a limit."""
    found: set[str] = set()
    for method in methods(owner):
        for node in model.walk(method.body):
            if isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
                targets = [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]
                if _EMPTIES.match(model.code(node.value)):
                    found |= {
                        dotted(t).removeprefix("self.") for t in targets if dotted(t).startswith("self.")
                    }
    return found


def is_emptied(model: ScriptModel, owner: cst.ClassDef, name: str) -> bool:
    """Whether anything that runs more than once empties or replaces `self.name`, or might."""
    cross_module = [above for above in ancestors(model, owner) if not model.owns(above)]
    several = [m for above in (owner, *cross_module) for m in methods(above) if not _ONCE.match(m.name.value)]
    own = [model.code(method.body) for method in several]
    replaced = re.compile(rf"\.{name}\b(\[[^\]\n]*\])?\s*(,[^=\n()]*)?(:[^=\n]*)?=(?!=)")
    emptied = re.compile(rf"\.{name}\b(\[[^\]\n]*\])?\.(clear|pop|popleft|popitem)\(|del\s+\w+\.{name}\b")
    looped = re.compile(rf"for\s+\w+(,\s*\w+)?\s+in\s[^\n]*\.{name}\b[^\n]*:[^\n]*\s[^#]*\.clear\(")
    for text in map(_without_comments, own):
        if replaced.search(text) or emptied.search(text) or looped.search(text):
            return True
        if re.search(
            r"\b(setattr|delattr|vars)\(\s*self|self\.__dict__|getattr\(\s*self[^\n]*\.clear\(", text
        ):
            return True
    rest = [_without_comments(text) for text in _elsewhere(model, owner)]
    return any(pattern.search(text) for text in rest for pattern in (replaced, emptied))


def _elsewhere(model: ScriptModel, owner: cst.ClassDef) -> list[str]:
    """The code outside of a class that may run more than once: no constructors."""
    found = [model.code(s) for s in model.module.body if not isinstance(s, (cst.ClassDef, cst.FunctionDef))]
    for node in model.names.every(cst.FunctionDef):
        if _ONCE.match(node.name.value):
            continue
        if model.class_of(node) is not owner:
            found.append(model.code(node.body))
    return found


def _without_comments(text: str) -> str:
    return re.sub(r"#[^\n]*", "", text)
