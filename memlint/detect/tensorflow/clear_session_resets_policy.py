"""MTF105: clear_session drops the mixed precision policy that later models were to have."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.dataflow.import_statements import head_of
from memlint.analysis.match import InsertAfter, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.call_order import CallPoint, calls_in_order
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import led_to
from memlint.catalogue import Rule
from memlint.detect.tensorflow.sessions import builds, clears, mixed_policy, sets_policy
from memlint.finding import Applicability

_THREE = ("keras.utils.clear_session", "keras.ops", "keras.config", "keras.random", "keras.distribution")
_LEGACY = ("TF_USE_LEGACY_KERAS", "tf_keras")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of clear_session between a policy and a model, with no new policy in between."""
    if not concerns(model) or any(word in model.text for word in _LEGACY):
        return
    flow = flow_of(model)
    if not any(clears(flow, call) for call in led_to(flow, "clear_session")):
        return

    def wanted(call: cst.Call) -> bool:
        return clears(flow, call) or sets_policy(flow, call) or builds(flow, call)

    seen: set[cst.CSTNode] = set()
    for events in calls_in_order(flow, wanted, imported=True):
        for number, event in enumerate(events):
            if clears(flow, event.node) and event.node not in seen:
                match = _match(flow, events, number)
                if match is not None and not never_runs(model, event.node):
                    seen.add(event.node)
                    yield match


def _match(flow: Flow, events: list[CallPoint], number: int) -> Match | None:
    """The match for a clear_session between the call that sets a mixed policy and a model built after it."""
    event = events[number]
    policy = _policy_before(flow, events, number)
    model = _model_after(flow, events, number) if policy is not None else None
    if policy is None or model is None:
        return None
    name = mixed_policy(flow, policy.node)
    labels = (
        Label(f"`{name}` is set here, once", policy.node),
        Label("built in float32 after it", model.node),
    )
    plan = _plan(flow, policy, event)
    variant = "default" if _is_keras_3(flow) else "unknown"
    return Match(event.node, {"policy": name}, variant, labels, plans=(plan,) if plan else ())


def _policy_before(flow: Flow, events: list[CallPoint], number: int) -> CallPoint | None:
    """The low precision policy in force when clear_session is first called."""
    found: CallPoint | None = None
    for earlier in events[:number]:
        if sets_policy(flow, earlier.node) and not earlier.excludes(events[number]):
            if mixed_policy(flow, earlier.node):
                found = earlier
            elif earlier.surely_before(events[number]):
                found = None
    return found


def _model_after(flow: Flow, events: list[CallPoint], number: int) -> CallPoint | None:
    """The first model that is built after it, with no policy set in between; a loop begins again."""
    event = events[number]
    loops = event.loops
    again = [e for e in events[:number] if loops and loops[0] in e.loops]
    for later in (*events[number + 1 :], *again):
        if event.excludes(later):
            continue
        if sets_policy(flow, later.node):
            return None
        if builds(flow, later.node):
            return later
    return None


def _is_keras_3(flow: Flow) -> bool:
    """Whether the file uses what only Keras 3 has: what Keras 2 does with the policy was not checked."""
    if "KERAS_BACKEND" in flow.model.text:
        return True
    names = flow.model.names
    chains = [n for root in ("keras", "tensorflow.keras") for n in names.references(f"{root}.*")]
    chains += names.references("tensorflow.*")
    return any(flow.api(n).startswith(_THREE) for n in chains)


def _plan(flow: Flow, policy: CallPoint, event: CallPoint) -> Plan | None:
    """The policy set again after the clear, where it is surely set before and written with plain names."""
    line = flow.model.own_statement_of(event.node)
    func = policy.node.func
    if not policy.surely_before(event) or not flow.model.owns(policy.node):
        return None
    if (
        line is None
        or isinstance(line, cst.BaseCompoundStatement)
        or any(not isinstance(a.value, cst.SimpleString) for a in policy.node.args)
    ):
        return None
    scope = flow.model.names.scope_of(head_of(func)).owner(head_of(func).value)
    if scope is not flow.model.names.module_scope:
        return None
    code = flow.model.code(policy.node)
    caution = "models built from here on change from float32 to the policy"
    return Plan(Applicability.UNSAFE, f"add `{code}`", (InsertAfter(line, code),), caution)
