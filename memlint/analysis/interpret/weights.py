"""Modules without weights that learn: what they give has a graph only where what they are given has one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Spelling
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.values import (
    Class,
    ClassInfo,
    Const,
    External,
    Function,
    Items,
    Kind,
    Obj,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    options_of,
    truth,
)
from memlint.syntax.arguments import argument_for, keyword
from memlint.syntax.expressions import literal, words_among
from memlint.syntax.tree import dotted, last_name, statements

_KINDS = (
    r"(Leaky|R)?ReLU6?|[CGS]?ELU|SiLU|Mish|GLU|Threshold|(Log)?Sigmoid|Tanh(shrink)?|(Log)?Softmax(2d)?"
    r"|Soft(min|plus|sign|shrink)|Hard\w+|(Feature)?(Alpha)?Dropout[123]?d?|\w+Pool[123]d|\w+Unpool[123]d"
    r"|\w+Pad[123]d|Upsample|Upsampling\w+|Unflatten|Flatten|Identity|Pixel(Uns|S)huffle|ChannelShuffle|Fold"
    r"|Unfold|CosineSimilarity|PairwiseDistance"
    r"|(MSE|(Smooth)?L1|Huber|CrossEntropy|(Poisson|Gaussian)?NLL|BCE(WithLogits)?|KLDiv|CTC|TripletMargin)Loss"
)
_LAYERS = pattern(rf"^torch\.nn\.(modules\.\w+\.)?({_KINDS})$")
_NORMS = pattern(
    r"^torch\.nn\.(modules\.\w+\.)?(Batch|Layer|Group|SyncBatch|RMS|(?P<plain>Instance))Norm([123]d)?$"
)
_FROZEN = r"Embedding(Bag)?\.from_pretrained"
_MODULE = frozenset({
    "torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module", "abc.ABC",
})  # fmt: skip
_HIDES = pattern(r"^(setattr|add_module|register_module|__dict__|\w+List|\w+Dict)$")
_REGISTERS = pattern(r"^register_parameter$")
_CLASS = pattern(r"_?[A-Z]\w*$")
_HARMLESS = pattern(
    rf"({_KINDS}|{_FROZEN}|\w+(Error|Warning)|\w*Tensor|Variable|Size|Generator|[A-Z](_[a-z]\w*)?)$"
)
"""Names of what brings no weights, operators of physics such as `A_adjoint` among them."""
_METHODS = frozenset(
    "register_buffer register_parameter register_forward_hook register_forward_pre_hook"
    " register_backward_hook register_full_backward_hook eval train to requires_grad_ parameters"
    " buffers".split()
)
_DEEPEST = 5
_LAMBDA = "lambda"
_LIST = "ModuleList"


def is_frozen(machine: Machine, obj: Obj) -> bool:
    """Whether a module, or one that it is a part of, was frozen as a whole and nothing in it thawed since."""
    above = obj
    for _ in range(_DEEPEST):
        known = machine.read((above.id, "#frozen"))
        if known is not None:
            return truth(known) is True
        holder = above.args.get("of")
        if not isinstance(holder, Ref):
            return False
        above = holder.obj
    return False


def freezes_itself(constructor: cst.FunctionDef, made: cst.CSTNode) -> bool:
    """Whether the last thing that a constructor does, called here, is to take the gradients from all weights:
    `for p in self.parameters(): p.requires_grad = requires_grad`, where that is False unless it is given."""
    last = statements(constructor.body)[-1]
    if not isinstance(last, cst.For) or dotted(_called(last.iter)) != "self.parameters":
        return False
    body = statements(last.body)
    line = body[0] if len(body) == 1 else None
    only = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if isinstance(only, cst.Assign) and last_name(only.targets[0].target) == "requires_grad":
        return _is_false_there(only.value, constructor, made)
    switch = only.value if isinstance(only, cst.Expr) else None
    told = isinstance(switch, cst.Call) and last_name(switch.func) == "requires_grad_" and switch.args
    return (
        isinstance(switch, cst.Call)
        and bool(told)
        and _is_false_there(switch.args[0].value, constructor, made)
    )


def _called(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.func if isinstance(node, cst.Call) else node


def _is_false_there(value: cst.BaseExpression, constructor: cst.FunctionDef, made: cst.CSTNode) -> bool:
    """Whether an expression in a constructor is False for a call of it: as it is written, or an argument that
    is False where it is not given."""
    if type(value) is not cst.Name or literal(value) is False:
        return literal(value) is False
    listed = [*constructor.params.params, *constructor.params.kwonly_params]
    default = next((param.default for param in listed if param.name.value == value.value), None)
    if default is None or literal(default) is not False or type(made) is not cst.Call:
        return False
    return not any(arg.star for arg in made.args) and argument_for(made, constructor, value.value) is None


def is_weightless(machine: Machine, obj: Obj, depth: int = 0) -> bool:
    """Whether a module has no weights that learn, as far as its class shows; False where it does not."""
    if obj.by_name or depth > _DEEPEST:
        return False
    if is_frozen(machine, obj):
        return True
    if obj.cls is None and obj.path in ("torch.nn.Sequential", "torch.nn.ModuleList"):
        return _chains_none(machine, obj, depth)
    if obj.cls is None:
        plain = _LAYERS.match(obj.path) or lib.AUDIO_TRANSFORMS.match(obj.path)
        return bool(plain) or _scales_nothing(obj)
    if _renames_a_layer(obj.cls):
        return True
    if not _is_plain_module(obj.cls) or obj.cls.find("forward") is None:
        # A class without a forward pass is there for subclasses, which bring the layers with it.
        return False
    if _reaches_other_files(obj.cls):
        return _shows_none(machine, obj.cls, obj)
    held = [(name[1:], value) for name, value in machine.entries(obj) if name.startswith(".")]
    if not held and obj.cls.find("__init__") is not None:
        return False
    if not all(_brings_none(machine, o, depth) for _, value in held for o in options_of(value)):
        return False
    unknown = {name for name, value in held if any(isinstance(o, Unknown) for o in options_of(value))}
    unseen = {name for name in unknown if not hints.TEXT_TOOL.search(name)}
    spelling = _spelling(machine, obj.cls)
    hidden = spelling.hides or spelling.registers
    return not hidden and unseen.isdisjoint(_called_members(spelling.calls))


def _renames_a_layer(info: ClassInfo) -> bool:
    """Whether a class is a layer without weights, such as nn.Flatten, and does no more than set it up."""
    above = info.ancestry() - _MODULE
    if not above or not all(map(_LAYERS.match, above)):
        return False
    constructor = info.methods.get("__init__")
    lines = statements(constructor.body) if constructor is not None else []
    return info.methods.keys() <= {"__init__", "extra_repr"} and len(lines) <= 1


def _reaches_other_files(info: ClassInfo) -> bool:
    """Whether a class or a base of it is one of another file, whose constructor is not run."""
    bases = (base.info for base in info.bases if isinstance(base, Class))
    return info.frame.cross_module or any(map(_reaches_other_files, bases))


def _scales_nothing(obj: Obj) -> bool:
    """Whether a layer only normalizes: without `affine`, the default of InstanceNorm, it has no weights."""
    norm = _NORMS.match(obj.path)
    if norm is None:
        return False
    default = Const(not norm["plain"])
    switch = obj.args.get("affine", obj.args.get("elementwise_affine", default))
    return truth(switch) is False


def _is_plain_module(info: ClassInfo) -> bool:
    """Whether a class has no bases but nn.Module and classes in view, which have none either."""
    return info.ancestry() <= _MODULE and _bases_are_known(info)


def _bases_are_known(info: ClassInfo) -> bool:
    """Whether it is known what all bases of a class are: not of `class Filter(registry["base"])`."""
    pairs = zip(info.node.bases, info.bases, strict=False)
    return all(
        _bases_are_known(base.info)
        if isinstance(base, Class)
        else isinstance(base, External) or _is_bare(written.value)
        for written, base in pairs
    )


def _is_bare(node: cst.BaseExpression) -> bool:
    """Whether a base is one that only annotates, such as `Generic[T]`."""
    return isinstance(node, cst.Subscript) and last_name(node.value) in lib.BARE_BASES


def _chains_none(machine: Machine, obj: Obj, depth: int) -> bool:
    """Whether a Sequential or a list of modules was given such without weights, each of which is known."""
    held = [option for name, value in obj.args.items() if name.isdigit() for option in options_of(value)]
    given = [member for option in held for member in _members(machine, option)]
    modules = [option.obj for option in given if isinstance(option, Ref) and option.obj.kind == "module"]
    if not 0 < len(given) == len(modules) or not all(is_weightless(machine, m, depth + 1) for m in modules):
        return False
    return not any(map(_adds_layer, machine.names.calls))


def _members(machine: Machine, value: Value) -> list[Value]:
    """What a list holds; for anything else, the value itself."""
    if isinstance(value, Items):
        return [option for item in value.items for option in options_of(item)]
    if isinstance(value, Ref) and value.obj.kind == "list":
        return [
            option
            for name, held in machine.entries(value.obj)
            if name[0] == "["
            for option in options_of(held)
        ]
    return [value]


def _adds_layer(call: cst.Call) -> bool:
    """Whether a call puts a new object into another: `net.append(Linear(3, 3))`, `net.add_module(...)`."""
    if last_name(call.func) not in ("append", "insert", "extend", "add_module", "register_module"):
        return False
    made = any(isinstance(a.value, cst.Call) and _class_made(a.value) for a in call.args)
    return made or last_name(call.func).endswith("module")


def _shows_none(
    machine: Machine, info: ClassInfo, made: Obj | None = None, depth: int = 0, alone: bool = False
) -> bool:
    """Whether the code of a class and of its bases makes nothing that learns: constructors of other files are
    not run. `made` is the object in question, where its constructor is known to be this one; `alone` says
    that it was made without another network."""
    if depth > _DEEPEST:
        return False
    alone = alone or (made is not None and _is_given_none(made))
    spelling = _spelling(machine, info)
    calls = spelling.calls
    if spelling.hides or any(map(_thaws, calls)):
        return False
    bases = [base.info for base in info.bases if isinstance(base, Class)]
    if not all(_shows_none(machine, base, None, depth + 1, alone) for base in bases):
        return False
    learning = [call for call in calls if not _is_fixed_parameter(call, info, made)]
    if len(learning) == len(calls) and spelling.registers:
        return False
    own = (call for call in learning if not (_is_on_self(call) and info.find(last_name(call.func))))
    brought = (call for call in own if not _is_of_plain_package(machine, info, call))
    others = {name for call in brought if (name := _class_made(call)) and not _HARMLESS.match(name)}
    others -= {info.node.name.value, _LIST}
    # In order: each one read leaves less that may be read.
    if not all(_is_weightless_class(machine, info, name, depth) for name in sorted(others)):
        return False
    unknown = _called_members(calls) - _METHODS - spelling.layers
    return all(
        info.find(name)
        or _is_function(machine, info, spelling, name)
        or (alone and _is_option(info, spelling, name))
        for name in sorted(unknown)
    )


def _is_of_plain_package(machine: Machine, info: ClassInfo, call: cst.Call) -> bool:
    """Whether a call is one of a package that knows no networks: `pywt.Wavelet("db4")`."""
    return bool(lib.PLAIN_PACKAGES.match((info.frame.names or machine.home).one(call.func)))


def _is_given_none(made: Obj) -> bool:
    """Whether the call that makes an object gives it literals, and names that are no networks, only."""
    given = [argument.value for argument in made.node.args] if isinstance(made.node, cst.Call) else None
    plain = (cst.Name, cst.Attribute, cst.BaseNumber, cst.BaseString, cst.UnaryOperation)
    if given is None or not all(isinstance(value, plain) for value in given):
        return False
    return all(naming.role(last_name(value)) != "module" for value in given)


def _is_option(info: ClassInfo, spelling: Spelling, member: str) -> bool:
    """Whether an attribute holds an argument of the constructor, or a lambda, whatever the class assigns."""
    constructor = info.methods.get("__init__")
    taken = constructor.params if constructor is not None else cst.Parameters()
    options = {_LAMBDA, *(param.name.value for param in (*taken.params, *taken.kwonly_params))}
    given = {name for attribute, name in spelling.named if attribute == member}
    return bool(given) and given <= options


def _is_function(machine: Machine, info: ClassInfo, spelling: Spelling, member: str) -> bool:
    """Whether an attribute of a class holds nothing but functions at the top level of its file."""
    given = [name for attribute, name in spelling.named if attribute == member]
    return bool(given) and all(isinstance(machine.bound(info.frame, name), Function) for name in given)


def _is_fixed_parameter(call: cst.Call, info: ClassInfo, made: Obj | None) -> bool:
    """Whether a call makes a Parameter that takes no gradients: `requires_grad=` is False, or an argument of
    the constructor that is False where it is not given."""
    given = keyword(call, "requires_grad") if last_name(call.func) == "Parameter" else None
    if given is None or literal(given) is False:
        return given is not None
    constructor, maker = info.methods.get("__init__"), made.node if made is not None else None
    if type(given) is not cst.Name or constructor is None or maker is None:
        return False
    return _is_false_there(given, constructor, maker)


def _spelling(machine: Machine, info: ClassInfo) -> Spelling:
    known = machine.spellings.get(id(info.node))
    if known is None:
        nodes = (info.frame.names or machine.home).walk(info.node)
        words = list(words_among(nodes))
        for _ in filter(_lists_what_it_makes, nodes):
            words.remove(_LIST)
        known = machine.spellings[id(info.node)] = Spelling(
            tuple(part for part in nodes if type(part) is cst.Call),
            frozenset(_layers(nodes)),
            tuple(_named(nodes)),
            any(map(_HIDES.search, words)),
            any(map(_REGISTERS.search, words)),
        )
    return known


def _lists_what_it_makes(node: cst.CSTNode) -> bool:
    """Whether a node is a list of modules each of which is made there: `ModuleList([Blur(3), Blur(5)])`."""
    if type(node) is not cst.Call or last_name(node.func) != _LIST or len(node.args) != 1:
        return False
    given = node.args[0].value
    if isinstance(given, (cst.ListComp, cst.GeneratorExp)):
        members = [given.elt]
    else:
        members = [e.value for e in given.elements] if isinstance(given, cst.List) else []
    return bool(members) and all(isinstance(m, cst.Call) and bool(_class_made(m)) for m in members)


def _thaws(call: cst.Call) -> bool:
    """Whether a call says `freeze=` something that is not True."""
    given = keyword(call, "freeze")
    return given is not None and literal(given) is not True


def _class_made(call: cst.Call) -> str:
    """`Linear` of `nn.Linear(...)`, `Embedding.from_pretrained` of such a call; "" for functions."""
    func, name = call.func, last_name(call.func)
    if type(func) is cst.Attribute and name == "from_pretrained":
        made = last_name(func.value)
        return f"{made}.{name}" if _CLASS.match(made) else ""
    return name if _CLASS.match(name) else ""


def _called_members(calls: tuple[cst.Call, ...]) -> set[str]:
    """The members of `self` that are called: `layer` of `self.layer(x)` and of `self.layer.forward(x)`."""
    called = (dotted(call.func).removesuffix(".forward").split(".") for call in calls)
    return {parts[1] for parts in called if len(parts) == 2 and parts[0] == "self"}


def _is_on_self(call: cst.Call) -> bool:
    return type(call.func) is cst.Attribute and dotted(call.func.value) == "self"


def _layers(nodes: list[cst.CSTNode]) -> set[str]:
    """The attributes to which code, such as that of a class, gives an object that it makes."""
    assignments = (n for n in nodes if type(n) is cst.Assign)
    made = (n for n in assignments if type(n.value) is cst.Call and _class_made(n.value))
    targets = (t.target for assignment in made for t in assignment.targets)
    return {t.attr.value for t in targets if type(t) is cst.Attribute and dotted(t.value) == "self"}


def _named(nodes: list[cst.CSTNode]) -> Iterator[tuple[str, str]]:
    """The attributes of `self` with what code assigns to each: its name, what stands for a lambda, "" for all
    that has none."""
    for assignment in (n for n in nodes if type(n) is cst.Assign):
        for target in (t.target for t in assignment.targets):
            if type(target) is cst.Attribute and dotted(target.value) == "self":
                value = assignment.value
                shown = _LAMBDA if type(value) is cst.Lambda else ""
                yield target.attr.value, value.value if type(value) is cst.Name else shown


def _is_weightless_class(machine: Machine, info: ClassInfo, name: str, depth: int) -> bool:
    """Whether a name stands for a class without weights in the file of another class."""
    found = machine.bound(info.frame, name) if name.isidentifier() and info.frame.lexical is None else None
    if not isinstance(found, Class) or not _is_plain_module(found.info):
        return False
    return _shows_none(machine, found.info, None, depth + 1)


def _brings_none(machine: Machine, value: Value, depth: int) -> bool:
    """Whether an attribute brings a module no weights."""
    if isinstance(value, Items):
        return all(_brings_none(machine, item, depth) for item in value.items)
    if isinstance(value, Ref) and value.obj.kind == "list":
        held = (v for _, v in machine.entries(value.obj))
        return all(_brings_none(machine, o, depth) for v in held for o in options_of(v))
    if isinstance(value, Ref) and value.obj.kind == "loss":
        return bool(_LAYERS.match(value.obj.path))
    if isinstance(value, Ref):
        return value.obj.kind == "module" and is_weightless(machine, value.obj, depth + 1)
    if isinstance(value, Tensor):
        return value.kind < Kind.MAYBE
    return isinstance(value, (Const, Scalar, Unknown, External, Function))
