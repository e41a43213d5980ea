"""MEM701: a checkpoint is unpacked on the GPU that saved it, before it is copied to where it belongs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import call_trace, calls_of, in_one_run, is_conditional
from memlint.analysis.dataflow.guards import never_runs, stands_behind
from memlint.analysis.facts import Called
from memlint.analysis.fixes.rewrites import with_last
from memlint.analysis.knowledge import device_hints
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import DDP_PATHS, may_move_to_cuda
from memlint.analysis.training.hardware.ranks import joins
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.analysis.uses.loaded_values import consumers
from memlint.catalogue import Rule
from memlint.detect.checkpoints import map_locations
from memlint.detect.checkpoints.load_places import (
    imported_loads,
    in_device_context,
    is_for_lightning,
    is_quantised,
    is_same_file,
    own_loads,
    reckons_with_gpu,
    saves_from_cpu,
)
from memlint.detect.checkpoints.loaded_networks import is_moved_here, is_named_a_loss, reads_memory
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import mentions, speaks_of

_FILLS = frozenset({"module", "optimizer", "custom"})
_NETWORK = frozenset({"network", "moved"})
_STAYING = frozenset({"run", "moved"})  # on the CPU, what is called where it was put would miss its inputs
_INDIFFERENT = frozenset({"module", "optimizer", "state", "plain"})
# Sharded models gather their full state on the host, so that is where files of it come from.
_ELSEWHERE = ("torch.set_default_device", "torch.distributed.fsdp.*")
_CAUTION = "right only if everything that uses the loaded object copies it to its own device"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of torch.load without map_location whose result is copied or moved to its device afterwards."""
    calls = own_loads(model)
    cross_module = imported_loads(model)
    elsewhere = any(model.names.references(path) for path in _ELSEWHERE)
    if elsewhere or not (calls or cross_module):
        return
    if not may_move_to_cuda(model):
        calls, cross_module = [c for c in calls if reckons_with_gpu(model, c)], {}
    mapped = [c.args[0].value for c in calls if c.args and map_locations.is_placed(model, c)]
    certain = [] if saves_from_cpu(model) else _certain_joins(model)
    for call in calls:
        placed = map_locations.has_map_location(model, call) or in_device_context(model, call)
        if not call.args or placed or never_runs(model, call):
            continue
        if any(is_same_file(model, call.args[0].value, path) for path in mapped):
            continue
        if stands_in_unit_test(model, call) or reads_memory(model, call):
            continue
        uses = consumers(model, call)
        network = uses >= _NETWORK and not uses & _FILLS and not is_named_a_loss(model, call)
        fills = uses & _FILLS or is_for_lightning(model, call)
        if not (fills or network) or _STAYING & uses == {"run"} or is_quantised(model, call):
            continue
        alone = "cpu" if map_locations.sees_to_the_cpu(model, call) else "network" if network else "default"
        variant = "ranks" if _in_ranks(model, call, certain) and not _in_one_rank(model, call) else alone
        # A tensor that is kept, or a network, meets those of the GPU: it may not come to lie elsewhere.
        stays = "kept" in uses or ("filled" in uses and "moved" not in uses)
        called = network or uses >= {"network", "run"}
        stays = stays or (called and not is_moved_here(model, call))
        kept = map_locations.why_it_stays(model, call)
        plan = _plan(model, call, safe=uses <= _INDIFFERENT) if not (stays or kept) else None
        plans = (plan,) if plan is not None else ()
        values = {"call": model.short(call)}
        yield Match(call, values, variant, plans=plans, causes=((call,),), no_fix=kept)
    for call, event in cross_module.items():
        inside = mentions(event.frame.node, "load_state_dict")
        source = event.node if inside else call
        if isinstance(source, cst.Call) and consumers(model, source) & _FILLS:
            ranked = any(in_one_run(event, join) for join in certain) and not _in_one_rank(model, call)
            values, note = {"call": model.short(event.node)}, f"the file is read inside `{event.frame.name}`"
            variant = "ranks" if ranked else "default"
            yield Match(call, values, variant, notes=(note,), causes=((event.node,),))


def _certain_joins(model: ScriptModel) -> list[Called]:
    """Where the script becomes one of several ranks whatever its options are."""
    return [e for e in [*joins(model), *calls_of(model, *DDP_PATHS)] if not is_conditional(model, e)]


def _in_ranks(model: ScriptModel, call: cst.Call, certain: list[Called]) -> bool:
    """Whether the run that comes to a call is one of several ranks."""
    if not certain:
        return False
    events = [event for event in call_trace(model) if event.node is call]
    return any(in_one_run(event, join) for event in events for join in certain)


def _in_one_rank(model: ScriptModel, call: cst.Call) -> bool:
    """Whether only one rank runs the call: it stands behind a question for the rank."""
    return stands_behind(model, call, lambda test: speaks_of(test, device_hints.ONE_RANK))


def _plan(model: ScriptModel, call: cst.Call, *, safe: bool) -> Plan | None:
    """`map_location="cpu"` added to a call, or in place of another device."""
    text = 'map_location="cpu"'
    stated = [a for a in call.args if a.keyword is not None and a.keyword.value == "map_location"]
    if stated:
        change = Replace(stated[0], text)
    elif "map_location" not in keywords(call) and len([a for a in call.args if a.keyword is None]) == 1:
        change = with_last(model, call, text)
    else:
        return None
    level = Applicability.SAFE if safe else Applicability.UNSAFE
    return Plan(level, f"add `{text}`", (change,), "" if safe else _CAUTION)
