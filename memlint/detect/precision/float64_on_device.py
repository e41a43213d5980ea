"""MEM304: float64 tensors and modules on the device, where nobody asked for the precision."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.precision.double_arrays import is_double
from memlint.detect.precision.double_modules import CAUTION, double_modules, from_arrays, is_only_double
from memlint.detect.precision.dtype_partners import needs_one_dtype
from memlint.detect.precision.method_chains import moves_as_it_is
from memlint.detect.precision.wanted_precision import DOUBLE, asks_again, is_asked_for
from memlint.finding import Applicability
from memlint.syntax.expressions import is_text

_DEVICE = re.compile(r"cuda|\bdevice\b|\bmps\b|\bxpu\b|\bnpu\b")
_WANTED = re.compile(r"\.double\(|torch\.(cuda\.)?(float64|double|DoubleTensor)")
"""A network in float64 takes inputs in float64 only: they stay as they are."""
_PARTNERS = "what it meets may be float64 as well, and would have to be cast with it"
_NUMERICAL = (
    "torchdiffeq", "torchode", "torchsde", "gpytorch", "botorch", "pyro", "linear_operator", "ase", "e3nn",
    "deepxde", "sympy", "scipy", "pennylane", "qiskit", "torchquad", "openmm", "schnetpack", "pyscf",
    "torchmin", "mpmath", "dqc", "xitorch",
)  # fmt: skip
_NEEDS = frozenset(
    "gradcheck gradgradcheck odeint odeint_adjoint solve_ivp hessian jacobian cholesky eigh eigvalsh slogdet "
    "matrix_exp expm logm sqrtm logdet lstsq pinverse pinv LBFGS assert_close float128 complex128".split()
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The default dtype, modules, and tensors made of float64 arrays."""
    if not _DEVICE.search(model.text) or model.imports(*_NUMERICAL) or model.identifiers & _NEEDS:
        return
    if any(map(hints.NUMERICS.search, model.identifiers)):
        return
    seen: set[cst.CSTNode] = set()
    for match in (*_defaults(model), *double_modules(model), *_tensors(model)):
        if match.node not in seen and not is_asked_for(model, match.node):
            seen.add(match.node)
            yield match


def _defaults(model: ScriptModel) -> Iterator[Match]:
    """Calls that make float64 the default dtype."""
    for path in ("torch.set_default_dtype", "torch.set_default_tensor_type"):
        for node in model.names.references(path):
            call = model.parent(node)
            if not isinstance(call, cst.Call) or call.func is not node or not call.args:
                continue
            given = call.args[0].value
            code = model.code(given)
            if _names_double(model, given) and not _is_put_back(model, call, path):
                new = (
                    code.replace("float64", "float32").replace("Double", "Float").replace("double", "float32")
                )
                plans = (_plan(given, new),) if is_only_double(model) else ()
                variant = "default-asked" if asks_again(model) else "default-dtype"
                yield Match(call, {"call": model.short(call)}, variant, plans=plans)


def _names_double(model: ScriptModel, given: cst.BaseExpression) -> bool:
    return model.names.one(given) in DOUBLE or is_text(given, *DOUBLE)


def _is_put_back(model: ScriptModel, call: cst.Call, path: str) -> bool:
    """Whether the function that sets the default sets another one later: it wants float64 in between."""
    function = model.function_of(call)
    later = (c for node in model.names.references(path) if isinstance(c := model.parent(node), cst.Call))
    return function is not None and any(
        model.function_of(other) is function
        and model.positions[other] > model.positions[call]
        and bool(other.args)
        and not _names_double(model, other.args[0].value)
        for other in later
    )


def _tensors(model: ScriptModel) -> Iterator[Match]:
    matches = not _WANTED.search(model.text)
    for call in from_arrays(model):
        if is_double(model, call.args[0].value) and moves_as_it_is(model, call):
            code = indented(model, call, call)
            new = (
                f"{code}.float()"
                if model.names.one(call.func) == "torch.from_numpy"
                else f"{code[:-1]}, dtype={_float32(model, call.func)})"
            )
            values = {"call": model.short(call), "array": model.short(call.args[0].value)}
            reason = "" if matches and not needs_one_dtype(model, call) else _PARTNERS
            yield Match(call, values, "array", plans=() if reason else (_plan(call, new),), no_fix=reason)


def _float32(model: ScriptModel, func: cst.CSTNode) -> str:
    return f"{model.code(func.value)}.float32" if isinstance(func, cst.Attribute) else "torch.float32"


def _plan(node: cst.CSTNode, code: str) -> Plan:
    return Plan(Applicability.UNSAFE, "use float32", (Replace(node, code),), CAUTION)
