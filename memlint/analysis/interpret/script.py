"""The abstract run of a whole file: its top level, then what nothing in it has called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.attributes import bound_to
from memlint.analysis.interpret.calls import call, instantiate, scoped_place
from memlint.analysis.interpret.engines import run_hook
from memlint.analysis.interpret.evaluate import evaluate
from memlint.analysis.interpret.functions import invoke
from memlint.analysis.interpret.grad_modes import decorated
from memlint.analysis.interpret.limits import ENTRY_FUEL, LEAST_FUEL, SPARE_FUEL, TooManyLinksError
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Elsewhere, Parts
from memlint.analysis.interpret.state import State
from memlint.analysis.interpret.statements import block
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge.libraries import (
    DEVICE_MOVES,
    GRAD_CONTEXTS,
    OPERATIONS,
    OPTIMIZER_PATHS,
    UNRECORDED_METHODS,
)
from memlint.analysis.values import NO_IDS, Class, ClassInfo, External, Frame, Function, Unknown, Value
from memlint.project.base_calls import SWITCHES_OFF, OwnCalls, chain_without_grad, own_calls
from memlint.syntax.expressions import called_on
from memlint.syntax.names import Names
from memlint.syntax.tree import dotted, last_name


def run(
    module: cst.Module, names: Names, code: Callable[[cst.CSTNode], str], elsewhere: Elsewhere[Machine] | None
) -> Machine:
    """Run a file abstractly: its top level, then every function that nothing in it has called.

    A run that is given up leaves no event: half a training loop looks like a wrong one.
    """
    parts = Parts(invoke, call, evaluate, _symbolic_instance, decorated)
    machine = Machine(names, code, parts, elsewhere)
    try:
        _run(machine, module, names, elsewhere)
    except TooManyLinksError:
        machine = Machine(names, code, parts, elsewhere, gave_up=True)
        machine.frame = machine.enter(None, module, None, "<module>")
    return machine


def _run(machine: Machine, module: cst.Module, names: Names, elsewhere: Elsewhere[Machine] | None) -> None:
    machine.module_names = _module_names(names)
    machine.module_places = frozenset(_module_places(names))
    machine.agent_names = _agent_names(names) - machine.module_names
    machine.imported_objects = _imported_objects(names)
    machine.module_containers = _module_containers(names)
    machine.wrapped_off = _wrapped_off(names)
    machine.frame = machine.enter(None, module, None, "<module>")
    machine.frame.entry = True
    machine.returns.append([])
    block(machine, module.body)
    machine.returns.pop()
    if machine.state is None:
        machine.state = State(vars=machine.last_vars)
    machine.cross_module_fuel = min(machine.cross_module_fuel, ENTRY_FUEL)
    if elsewhere is not None:
        elsewhere.narrow()
    _entries(machine)


def _wrapped_off(names: Names) -> frozenset[str]:
    """Functions that are wrapped after their definition: `evaluate = torch.no_grad()(evaluate)`."""
    found = set()
    for node in names.calls:
        if (
            isinstance(node.func, cst.Call)
            and len(node.args) == 1
            and GRAD_CONTEXTS.get(names.one(node.func.func)) == "off"
        ):
            found.add(dotted(node.args[0].value).rpartition(".")[2])
    return frozenset(found - {""})


def _module_names(names: Names) -> frozenset[str]:
    """Names on which the file calls what only modules have: `.eval()`, `.parameters()`."""
    found = set()
    for node in names.calls:
        func = node.func
        if type(func) is cst.Attribute and func.attr.value in _OF_MODULES and not node.args:
            owner = called_on(func.value, DEVICE_MOVES)
            if func.attr.value == "eval" and type(owner) is cst.Call:
                found.update(_bound_to(names, node))
            found.add(dotted(owner).rpartition(".")[2])
        elif type(func) is cst.Attribute and func.attr.value == _LOADS and node.args:
            name = last_name(func.value)
            found.update({name} if not hints.NOT_A_MODULE.search(name) else ())
    found |= {*_asserted_modules(names), *_stepped(names), *_moved(names)}
    found -= {n for n in found if hints.TEXT_TOOL.search(n) or "train" in n.lower()}
    plain = {n for n in found if n and naming.role(n) in ("", "module")}
    return frozenset(plain | set(_critics(names)))


def _stepped(names: Names) -> Iterator[str]:
    """The names of what is called and has an optimizer of its name: `disc(x)` beside `opt_disc.step()`."""
    called = {node.func.value for node in names.calls if type(node.func) is cst.Name}
    for node in names.calls:
        func = node.func
        if type(func) is cst.Attribute and func.attr.value == "step" and not node.args:
            name = naming.optimized_by(last_name(func.value))
            if name in called:
                yield name


def _moved(names: Names) -> Iterator[str]:
    """The names of what somebody else made, moved to a device, and is called: `self.slow = net.cuda()` before
    `self.slow(x)`. A tensor cannot be called, and a function has no device. Loops go through many of them, of
    which no more is known than before."""
    called = {dotted(node.func) for node in names.calls}
    looped = {line for loop in names.every(cst.For) for line in names.every(cst.Assign, loop)}
    for line in set(names.every(cst.Assign)) - looped:
        func = line.value.func if type(line.value) is cst.Call else None
        if type(func) is cst.Attribute and func.attr.value in ("cuda", "to") and type(func.value) is cst.Name:
            places = {dotted(target.target) for target in line.targets} & called
            ends = (place.rpartition(".")[2] for place in places)
            yield from (name for name in ends if not hints.NOT_A_MODULE.search(name))


def _module_places(names: Names) -> Iterator[tuple[str, int]]:
    """What the file calls `.eval()`, `.parameters()` and the like on, as `scoped_place` tells it."""
    for node in names.calls:
        func = node.func
        if type(func) is cst.Attribute and not node.args and func.attr.value in _OF_MODULES:
            owner = called_on(func.value, DEVICE_MOVES)
            if dotted(owner):
                yield scoped_place(names, owner)


def _critics(names: Names) -> Iterator[str]:
    """Names short for a critic, whose parameters alone an optimizer has: `Adam(crit.parameters())`."""
    for node in names.calls:
        given = node.args[0].value if node.args else None
        func = given.func if type(given) is cst.Call and not given.args else None
        if type(func) is cst.Attribute and func.attr.value == "parameters":
            name = last_name(func.value)
            if naming.may_be_critic(name) and OPTIMIZER_PATHS.match(names.one(node.func)):
                yield name


def _asserted_modules(names: Names) -> Iterator[str]:
    """The names of which the file asserts that they are modules: `assert isinstance(net, nn.Module)`."""
    for statement in names.every(cst.Assert):
        test = statement.test
        if type(test) is cst.Call and dotted(test.func) == "isinstance" and len(test.args) == 2:
            asked, kind = test.args[0].value, names.one(test.args[1].value)
            if type(asked) is cst.Name and kind in ("torch.nn.Module", "torch.nn.modules.Module"):
                yield asked.value


_MODES = ("eval_mode", "collect_mode", "learn_mode")
_OF_MODULES = ("eval", "train", "parameters", "named_parameters")
_LOADS = "load_state_dict"


def _imported_objects(names: Names) -> frozenset[str]:
    """Names from `from ... import` that are used like objects, which neither a module nor a class is.

    A network is called, and asked for what only networks have; an optimizer steps; a loop goes over a loader.
    """
    called: set[str] = set()
    asked: set[str] = set()
    gone_through: set[str] = set()
    for node in names.calls:
        if type(node.func) is cst.Name:
            called.add(node.func.value)
        elif type(node.func) is cst.Attribute and type(node.func.value) is cst.Name:
            owner, kind = node.func.value.value, naming.role(node.func.value.value)
            steps = kind == "optimizer" and node.func.attr.value in ("step", "zero_grad") and not node.args
            asked.update({owner} if steps else ())
    for loop in names.every(cst.For):
        gone_through.update(n.value for n in (loop.iter, *_arguments(loop.iter)) if type(n) is cst.Name)
    loaders = {n for n in gone_through - called if naming.role(n) == "loader"}
    used = loaders | (asked - called) | (_module_names(names) & called)
    bound, again = names.module_scope.imports, names.module_scope.others
    return frozenset(n for n in used - set(again) if n in bound and all("." in path for path in bound[n]))


def _arguments(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The first argument of a call, and of the call that it is: the loader in `enumerate(tqdm(loader))`."""
    if type(node) is not cst.Call or not node.args:
        return []
    return [node.args[0].value, *_arguments(node.args[0].value)]


def _module_containers(names: Names) -> frozenset[str]:
    """Names of containers on whose elements the file calls what only modules have: `nets[k].eval()`."""
    found = set()
    for node in names.calls:
        func = node.func
        if type(func) is not cst.Attribute or func.attr.value not in _OF_MODULES or node.args:
            continue
        owner = called_on(func.value, DEVICE_MOVES)
        if type(owner) is cst.Subscript:
            found.add(last_name(owner.value))
        elif type(owner) is cst.Name:
            found.update(_walked_by(names, owner))
    return frozenset(found - {""})


def _walked_by(names: Names, name: cst.Name) -> list[str]:
    """The containers that the loops around a name go through with it: `for net in nets.values():`."""
    found = []
    above = names.parents.get(name)
    while above is not None:
        if type(above) is cst.For and type(above.target) is cst.Name and above.target.value == name.value:
            source = above.iter
            if type(source) is cst.Call and last_name(source.func) == "values":
                source = source.func.value if type(source.func) is cst.Attribute else source
            found.append(last_name(source))
        above = names.parents.get(above)
    return found


def _agent_names(names: Names) -> frozenset[str]:
    """Names of what acts, on which the file calls `.reset()`: objects around a network, which decide for
    themselves in which grad mode it runs. So do the modes of an agent, `policy = agent.eval_mode`."""
    modes = (a for a in names.every(cst.Assign) if last_name(a.value) in _MODES)
    found = {last_name(t.target) for a in modes for t in a.targets}
    for node in names.calls:
        func = node.func
        if type(func) is cst.Attribute and func.attr.value == "reset":
            found.add(last_name(func.value))
            found.update(_walked_by(names, func.value) if type(func.value) is cst.Name else ())
    return frozenset(form for n in found if naming.acts(n) for form in (n, n.lstrip("_")))


def _bound_to(names: Names, node: cst.CSTNode) -> list[str]:
    """The names that are given what a call returns, moved or not: `net = build().eval().to(device)`."""
    above = names.parents.get(node)
    while type(above) is cst.Attribute and above.attr.value in DEVICE_MOVES:
        call = names.parents[above]
        above = names.parents.get(call)
    return [dotted(t.target).rpartition(".")[2] for t in above.targets] if type(above) is cst.Assign else []


def _entries(machine: Machine) -> None:
    """Run what nothing has called: functions, then the methods of classes, with guessed arguments."""
    functions = machine.names.every(cst.FunctionDef)
    calls: dict[str, list[cst.Call]] = {}
    for site in machine.names.calls:
        calls.setdefault(dotted(site.func).rpartition(".")[2], []).append(site)
    least = min(machine.fuel, 0) - SPARE_FUEL
    # What some other function calls is better seen from there, and a wrapper from what it wraps; what is left
    # over follows.
    late = {n for n in functions if _hands_on(n) or _is_called(machine, n, calls.get(n.name.value, []))}
    for node in sorted(functions, key=late.__contains__):
        if id(node) in machine.visited:
            continue
        if machine.fuel <= least:
            machine.left_out.append(node)
            continue
        lent = max(LEAST_FUEL - machine.fuel, 0)
        machine.fuel += lent
        owner = _class_of(machine, node)
        if owner is not None:
            _run_method_entry(machine, node, owner)
        elif _at_top(machine, node):
            _run_entry(machine, node, machine.frame, None)
        else:
            _run_nested(machine, node)
        machine.fuel -= lent


def _hands_on(node: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether a function takes whatever it is given, as the wrapper of a decorator: `*args, **kwargs`."""
    given = node.params
    return isinstance(given.star_arg, cst.Param) and given.star_kwarg is not None and not given.params


def _is_called(machine: Machine, node: cst.FunctionDef, calls: list[cst.Call]) -> bool:
    """Whether one of the calls with a function's name may be one of it.

    What a class holds is of another class than its own: `self.scaler.fit(x)` in `fit` is no call of that.
    """
    owner = _class_of(machine, node)
    if owner is None:
        return bool(calls)
    inside = {id(site) for site in machine.names.every(cst.Call, owner)} if calls else set[int]()
    held = [site for site in calls if id(site) in inside and _OF_MEMBER.match(dotted(site.func))]
    return len(held) < len(calls)


_OF_MEMBER = re.compile(r"self\..+\.")


def _at_top(machine: Machine, node: cst.CSTNode) -> bool:
    parent = machine.names.parents.get(node)
    while parent is not None:
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return False
        parent = machine.names.parents.get(parent)
    return True


def _run_nested(machine: Machine, node: cst.FunctionDef) -> None:
    """Run a function inside another that only code out of view calls, such as a decorator."""
    outer = machine.names.parents.get(node)
    while outer is not None and not isinstance(outer, (cst.FunctionDef, cst.Lambda)):
        outer = machine.names.parents.get(outer)
    for frame in machine.frames_of(outer)[:1] if outer is not None else ():
        _run_entry(machine, node, frame, None)


def _class_of(machine: Machine, node: cst.FunctionDef) -> cst.ClassDef | None:
    block_node = machine.names.parents.get(node)
    parent = machine.names.parents.get(block_node) if block_node is not None else None
    return parent if isinstance(parent, cst.ClassDef) else None


def _run_method_entry(machine: Machine, node: cst.FunctionDef, owner: cst.ClassDef) -> None:
    value = machine.classes.get(id(owner))
    if value is None:
        return
    made = _most_derived(machine, value, node)
    me = _symbolic_instance(machine, made)
    for caller, frame in _base_methods_calling(machine, value.info, node.name.value):
        # A class between them may have a method of that name, which hands the call on or does without it.
        own, home = value.info.find(caller.name.value) or (caller, frame)
        if own is not node:
            _run_entry(machine, own, home, bound_to(own, me, made))
    if id(node) not in machine.visited and node.name.value != "__init__":
        _run_entry(machine, node, value.info.frame, bound_to(node, me, made))


def _base_methods_calling(
    machine: Machine, info: ClassInfo, name: str
) -> list[tuple[cst.FunctionDef, Frame]]:
    """The methods of base classes in the file that call `self.name()`: they set the stage for it."""
    found: list[tuple[cst.FunctionDef, Frame]] = []
    for base in info.bases:
        if isinstance(base, Class):
            frame = base.info.frame
            others = (m for m in base.info.methods.values() if m.name.value != name)
            found += [(m, frame) for m in others if name in _called_on_self(machine, m, frame)]
            found += _base_methods_calling(machine, base.info, name)
    return found


def _called_on_self(machine: Machine, node: cst.FunctionDef | cst.ClassDef, frame: Frame) -> frozenset[str]:
    """The methods that a method calls on `self`, or that the methods of a class call."""
    known = machine.called_on_self.get(id(node))
    if known is None:
        functions = (n.func for n in (frame.names or machine.home).every(cst.Call, node.body))
        attributes = [f for f in functions if type(f) is cst.Attribute and type(f.value) is cst.Name]
        known = frozenset(f.attr.value for f in attributes if f.value.value == "self")  # type: ignore[attr-defined]
        machine.called_on_self[id(node)] = known
    return known


def _most_derived(machine: Machine, value: Class, method: cst.FunctionDef) -> Class:
    """A class of the file that completes an abstract one and has this method of it: its own methods fill what
    the base leaves open."""
    while (derived := machine.completed_by.get(id(value.info))) is not None:
        found = derived.info.find(method.name.value)
        if method.name.value != "__init__" and (found is None or found[0] is not method):
            break
        value = derived
    return value


def _symbolic_instance(machine: Machine, value: Class) -> Value:
    """An object of a class that nothing in the file makes: its constructor is run once."""
    known = machine.symbolic_instances.get(id(value.info))
    if known is None:
        # A constructor that asks for an object of its own class finds this one, not another.
        number = machine.number("symbolic instance", id(value.info))
        machine.symbolic_instances[id(value.info)] = Unknown(NO_IDS, number)
        frame, loops, variants = machine.frame, machine.loops, machine.variants
        machine.frame, machine.loops, machine.variants = value.info.frame, (), ()
        machine.entering = value.info.find("__init__") is not None
        known = instantiate(machine, value.info, [], {}, value.info.node)
        machine.symbolic_instances[id(value.info)] = known
        machine.frame, machine.loops, machine.variants = frame, loops, variants
    return known


def _only_without_grad(machine: Machine, node: cst.FunctionDef) -> bool:
    """Whether the class of a method calls it, and only under no_grad, in code that the run has not come to;
    or a base class of another file does, which may be too long to be run. So does torch with the two sides of
    an operation of one's own."""
    owner = _class_of(machine, node)
    value = machine.classes.get(id(owner)) if owner is not None else None
    if value is None:
        return False
    if node.name.value in UNRECORDED_METHODS and not OPERATIONS.isdisjoint(value.info.ancestry()):
        return True
    name, chain, covered = node.name.value, [*_in_view(value.info)], frozenset[str]()
    if any(_names_a_switch(machine, info) for info in chain):
        own = [_own_calls(machine, info) for info in chain]
        known = chain_without_grad(own, name)
        if known is not None:
            return known
        covered = covered.union(*(calls.covering for calls in own))
    elif any(name in _called_on_self(machine, info.node, info.frame) for info in chain):
        return False
    if machine.elsewhere is None or not any(map(_may_call, value.info.bases)):
        return False
    bases = sorted(value.info.ancestry())
    return any(machine.elsewhere.called_without_grad(base, name, covered) for base in bases)


def _may_call(base: Value) -> bool:
    """Whether a base may call methods of the classes that extend it, other than as torch does."""
    return not isinstance(base, External) or not base.path.startswith(("torch.", "builtins.", "abc."))


def _names_a_switch(machine: Machine, info: ClassInfo) -> bool:
    """Whether a class has a word that switches gradients off; without one its code need not be generated."""
    known = machine.names_a_switch.get(id(info.node))
    if known is None:
        names = (info.frame.names or machine.home).every(cst.Name, info.node)
        known = machine.names_a_switch[id(info.node)] = any(n.value in SWITCHES_OFF for n in names)
    return known


def _own_calls(machine: Machine, info: ClassInfo) -> OwnCalls:
    """The calls of its own methods in a class, read once for all of them."""
    known = machine.own_calls.get(id(info.node))
    if known is None:
        bare = (info.frame.names or machine.home).bare
        source = bare.lines(info.node) if bare is not None else machine.code(info.node)
        known = machine.own_calls[id(info.node)] = own_calls(source)
    return known


def _in_view(info: ClassInfo) -> Iterator[ClassInfo]:
    """A class and those that it extends, as far as their code was read."""
    yield info
    for base in info.bases:
        if isinstance(base, Class):
            yield from _in_view(base.info)


def _run_entry(machine: Machine, node: cst.FunctionDef, frame: Frame, bound: Value | None) -> None:
    before = machine.state
    assert before is not None
    grad, evals = before.grad, before.evals
    before.grad, before.evals, before.pending = "on", NO_IDS, frozenset()
    function: Value = decorated(machine, Function(node, frame, bound), node)
    if isinstance(function, Function):
        quiet = not function.grad and _only_without_grad(machine, node)
        entered = replace(function, grad="off") if quiet else function
        # A wrapper hands on what the caller of the wrapped function gives, by the names that it has there.
        wrapped = function.node is not node and (bound is None or _hands_on(function.node))
        taken = node.params.params[bound is not None :] if wrapped else ()
        given: list[Value] = [machine.unknown(param) for param in taken]

        def call_it() -> Value:
            machine.entering = True
            return invoke(machine, entered, given, {}, node)

        if bound is None or not run_hook(machine, node, bound, call_it):
            call_it()
    if machine.state is None:
        machine.state = before
    machine.state.grad, machine.state.evals = grad, evals
