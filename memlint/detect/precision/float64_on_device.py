"""MEM304: float64 tensors and modules on the device, where nobody asked for the precision."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.guards import stands_behind
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import External, Obj, Ref, Value, options_of
from memlint.catalogue import Rule
from memlint.detect.precision.double_arrays import is_double
from memlint.finding import Applicability
from memlint.syntax.arguments import keyword

_DEVICE = re.compile(r"cuda|\bdevice\b|\bmps\b|\bxpu\b|\bnpu\b")
_NUMERICAL = (
    "torchdiffeq", "torchode", "torchsde", "gpytorch", "botorch", "pyro", "linear_operator", "ase", "e3nn",
    "deepxde", "sympy", "scipy", "pennylane", "qiskit", "torchquad", "openmm", "schnetpack", "pyscf",
    "torchmin", "mpmath",
)  # fmt: skip
_NEEDS = frozenset(
    "gradcheck gradgradcheck odeint odeint_adjoint solve_ivp hessian jacobian cholesky eigh eigvalsh slogdet "
    "logdet lstsq pinverse pinv LBFGS assert_close float128 complex128".split()
)
_ASKED = re.compile(r"double|float64|fp64|precision|dtype", re.IGNORECASE)
_DOUBLE = ("torch.float64", "torch.double", "torch.DoubleTensor", "torch.cuda.DoubleTensor")
_CASTS = frozenset("float half bfloat16 long int type bool short byte double".split())
_CAUTION = "float32 rounds: results change"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The default dtype, modules, and tensors made of float64 arrays."""
    if not _DEVICE.search(model.text) or model.imports(*_NUMERICAL) or model.identifiers & _NEEDS:
        return
    seen: set[cst.CSTNode] = set()
    for match in (*_defaults(model), *_modules(model), *_tensors(model)):
        if match.node not in seen and not _is_asked_for(model, match.node):
            seen.add(match.node)
            yield match


def _is_asked_for(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a flag of the script chooses the precision."""
    return stands_behind(model, node, _ASKED)


def _defaults(model: ScriptModel) -> Iterator[Match]:
    for path in ("torch.set_default_dtype", "torch.set_default_tensor_type"):
        for node in model.names.references(path):
            call = model.parent(node)
            if not isinstance(call, cst.Call) or call.func is not node or not call.args:
                continue
            given = call.args[0].value
            code = model.code(given)
            if model.names.one(given) in _DOUBLE or code.strip("'\"") in _DOUBLE:
                new = (
                    code.replace("float64", "float32").replace("Double", "Float").replace("double", "float32")
                )
                yield Match(call, {"call": model.short(call)}, "default-dtype", plans=(_plan(given, new),))


def _modules(model: ScriptModel) -> Iterator[Match]:
    undone = {o for called in calls_of(model, ".float", ".half") for o in _modules_in(called.owner)}
    for called in calls_of(model, ".double", ".to", ".type"):
        node = called.node
        given = (*called.args, *called.keywords.values())
        wanted = any(isinstance(o, External) and o.path in _DOUBLE for v in given for o in options_of(v))
        if not isinstance(node, cst.Call) or not (called.path == ".double" or wanted):
            continue
        owners = _modules_in(called.owner)
        if owners and undone.isdisjoint(owners):
            plans = _without_double(model, node) if called.path == ".double" else ()
            yield Match(node, {"call": model.short(node)}, plans=plans)


def _modules_in(owner: Value | None) -> list[Obj]:
    options = options_of(owner) if owner is not None else ()
    return [o.obj for o in options if isinstance(o, Ref) and o.obj.kind == "module"]


def _without_double(model: ScriptModel, call: cst.Call) -> tuple[Plan, ...]:
    """Drop the cast, where the inputs are not cast to match."""
    if not isinstance(call.func, cst.Attribute) or len(re.findall(r"double|float64", model.text)) > 1:
        return ()
    if any(_chain(model, made) != "cast" for made in _from_arrays(model)):
        return ()
    line = model.statement_of(call)
    change: Change = Replace(call, model.code(call.func.value))
    if (
        isinstance(model.parent(call), cst.Expr)
        and line is not None
        and not isinstance(call.func.value, cst.Call)
    ):
        change = Remove(line)
    return (Plan(Applicability.UNSAFE, "leave the parameters in float32", (change,), _CAUTION),)


def _from_arrays(model: ScriptModel) -> Iterator[cst.Call]:
    """Where tensors take over the dtype of an array, which may be float64."""
    for path in ("torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.asarray"):
        for node in model.names.references(path):
            call = model.parent(node)
            made = isinstance(call, cst.Call) and call.func is node and bool(call.args)
            if made and isinstance(call, cst.Call) and keyword(call, "dtype") is None:
                yield call


def _tensors(model: ScriptModel) -> Iterator[Match]:
    for call in _from_arrays(model):
        if is_double(model, call.args[0].value) and _moves(model, call):
            code = model.code(call)
            new = (
                f"{code}.float()"
                if model.names.one(call.func) == "torch.from_numpy"
                else f"{code[:-1]}, dtype={_float32(model, call.func)})"
            )
            values = {"call": model.short(call), "array": model.short(call.args[0].value)}
            yield Match(call, values, "array", plans=(_plan(call, new),))


def _float32(model: ScriptModel, func: cst.CSTNode) -> str:
    return f"{model.code(func.value)}.float32" if isinstance(func, cst.Attribute) else "torch.float32"


def _plan(node: cst.CSTNode, code: str) -> Plan:
    return Plan(Applicability.UNSAFE, "use float32", (Replace(node, code),), _CAUTION)


def _moves(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the tensor goes to the device as it is."""
    device = keyword(call, "device")
    if device is not None:
        return model.code(device).strip("'\"") != "cpu" and _chain(model, call) != "cast"
    direct = _chain(model, call)
    if direct:
        return direct == "moved"
    target = model.parent(call)
    if not isinstance(target, cst.Assign) or len(target.targets) != 1:
        return False
    name = target.targets[0].target
    scope = model.function_of(call) or model.module
    code = model.code(name)
    found = {
        _chain(model, n)
        for n in model.walk(scope)
        if type(n) is type(name) and n is not name and model.code(n) == code
    }
    return "moved" in found and "cast" not in found


def _chain(model: ScriptModel, node: cst.CSTNode) -> str:
    """What the methods called on an expression do to it: "moved", "cast" at any point, or ""."""
    result = ""
    while True:
        attribute = model.parent(node)
        call = (
            model.parent(attribute)
            if isinstance(attribute, cst.Attribute) and attribute.value is node
            else None
        )
        if (
            not isinstance(call, cst.Call)
            or call.func is not attribute
            or not isinstance(attribute, cst.Attribute)
        ):
            return result
        name = attribute.attr.value
        if name in _CASTS or (
            name == "to" and re.search(r"dtype|torch\.\w*(float|half|int|long)", model.code(call))
        ):
            return "cast"
        if name == "cuda" or (name == "to" and call.args and "cpu" not in model.code(call.args[0])):
            result = "moved"
        node = call
