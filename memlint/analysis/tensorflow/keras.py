"""Which expressions are Keras models, and where a file builds, compiles and trains them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

_MAKERS = frozenset(
    "Sequential Model Functional load_model clone_model model_from_json model_from_yaml model_from_config "
    "multi_gpu_model".split()
)
_PRETRAINED = re.compile(r"^transformers\.TF\w+(\.from_pretrained|\.from_config)?$")
_APPLICATION = re.compile(r"^keras\.applications\.(\w+\.)*[A-Z]\w+$|^efficientnet\.(tf)?keras\.\w+$")
_BATCH_HOOK = re.compile(r"^on_(train_|test_|predict_)?batch_(begin|end)$")
_PREDICT_ARGUMENTS = frozenset(
    "x batch_size verbose steps callbacks max_queue_size workers use_multiprocessing".split()
)
"""Arguments of `keras.Model.predict`, those that Keras 3 has dropped included."""

_SIZE = re.compile(r"batch|(^|_)(bs|size|n)$", re.IGNORECASE)
_OTHER = re.compile(
    r"^(sklearn|torch|xgboost|lightgbm|catboost|numpy|scipy|pandas|statsmodels|onnxruntime|art|cv2)\b"
)

_OTHER_BACKEND = re.compile(r"KERAS_BACKEND\W+(?!tensorflow\b)\w+|\bset_backend\(\W*(?!tensorflow\b)\w+")

_NO_MODELS = (cst.Integer, cst.Float, cst.SimpleString, cst.List, cst.Dict, cst.Tuple, cst.FunctionDef)


def last(path: str) -> str:
    """The last part of a dotted name."""
    return path.rpartition(".")[2]


def is_keras(path: str) -> bool:
    """Whether a canonical name lives in Keras."""
    return path.startswith(("keras.", "tf.keras.", "tf.compat.v1.keras."))


def makes_model(flow: Flow, call: cst.Call) -> bool:
    """Whether a call itself builds or loads a Keras model: `Sequential()`, or a subclass of Model."""
    api = flow.api(call.func)
    if api:
        made = is_keras(api) and last(api) in _MAKERS
        if made or _APPLICATION.match(api) or _PRETRAINED.match(api):
            return True
    return any(isinstance(c, cst.ClassDef) and is_model_class(flow, c) for c in flow.graph.callees(call))


def is_model_class(flow: Flow, owner: cst.ClassDef) -> bool:
    """Whether a class of the file derives from a Keras model."""
    return _derives(flow, owner, frozenset({"Model", "Sequential", "Functional"}))


def is_layer_class(flow: Flow, owner: cst.ClassDef) -> bool:
    """Whether a class of the file derives from a Keras model or layer."""
    return _derives(flow, owner, frozenset({"Model", "Sequential", "Functional", "Layer"}))


def _derives(flow: Flow, owner: cst.ClassDef, names: frozenset[str], depth: int = 6) -> bool:
    for base in owner.bases:
        api = flow.api(base.value)
        if (is_keras(api) and last(api) in names) or (api == "tf.Module" and "Layer" in names):
            return True
        above = (d.node for d in flow.definitions(base.value) if isinstance(d.node, cst.ClassDef))
        if depth and any(_derives(flow, c, names, depth - 1) for c in above if c is not owner):
            return True
    return False


def model_kind(flow: Flow, node: cst.BaseExpression) -> str:
    """What an expression is: "yes" a Keras model, "maybe" one by its name, "no"."""
    if dotted(node) == "self":
        owner = flow.model.class_of(node)
        return "yes" if owner is not None and is_model_class(flow, owner) else "no"
    owner = flow.model.class_of(node) if dotted(node) == "self.model" else None
    if owner is not None and is_callback(flow, owner):
        return "yes"  # Keras gives each callback the model that it trains
    sources = flow.sources(node)
    kinds = {_source_kind(flow, s) for s in sources}
    if kinds and kinds <= {"yes", "none"} and "yes" in kinds:
        return "yes"
    if _is_compiled(flow, node):
        return "yes"
    if "no" in kinds or _is_annotated_otherwise(flow, node):
        return "no"
    return "maybe" if hints.KERAS_MODEL.search(last(dotted(node)) or "") else "no"


def is_callback(flow: Flow, owner: cst.ClassDef) -> bool:
    """Whether a class is a callback of Keras."""
    bases = (flow.api(base.value) for base in owner.bases)
    return any(is_keras(base) and base.endswith("Callback") for base in bases)


def _is_annotated_otherwise(flow: Flow, node: cst.BaseExpression) -> bool:
    """Whether a parameter is declared as a class that is no Keras model, or is out of view: an interface to
    models of several libraries."""
    params = [s.node for s in value_sources(flow.model, node) if isinstance(s.node, cst.Param)]
    asked = [p.annotation.annotation for p in params if p.annotation is not None]
    found = [f for annotation in asked for f in definitions_meant(flow.model, annotation)]
    classes = [f for f in found if isinstance(f, cst.ClassDef)]
    if classes:
        return not any(is_layer_class(flow, c) for c in classes)
    paths = [path for annotation in asked if (path := flow.model.path_of(annotation))]
    return bool(paths) and not any(path.startswith(_MAY_BE_A_MODEL) for path in paths)


_MAY_BE_A_MODEL = (
    "tensorflow.", "keras.", "tf_keras.", "typing.", "typing_extensions.", "builtins.", "collections.",
)  # fmt: skip


def _is_compiled(flow: Flow, node: cst.BaseExpression) -> bool:
    """Whether the file compiles an object as Keras models are: with an optimizer of Keras, and a loss."""
    owner = dotted(node)
    for call in flow.named("compile") if owner else ():
        if isinstance(call.func, cst.Attribute) and dotted(call.func.value) == owner:
            given = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
            optimizer = given.get("optimizer", call.args[0].value if call.args else None)
            made = optimizer.func if isinstance(optimizer, cst.Call) else None
            if made is not None and is_keras(flow.api(made)) and ("loss" in given or len(call.args) > 1):
                return True
    return False


def takes_as_keras_does(flow: Flow, call: cst.Call) -> bool:
    """Whether a call of `predict` gives what Keras' own takes: one input, and settings that it knows.

    Agents are asked with a state beside the observation, detectors with the shapes of the pictures. A model
    class may have a `predict` of its own.
    """
    classes = (c for names in flow.model.all_names() for c in names.every(cst.ClassDef))
    models = (c for c in classes if is_model_class(flow, c))
    if any(s.name.value == "predict" for c in models for s in c.body.body if isinstance(s, cst.FunctionDef)):
        return False
    keywords = [a.keyword.value for a in call.args if a.keyword is not None]
    second = call.args[1] if len(call.args) > 1 else None
    if second is not None and second.keyword is None and not second.star:
        size = isinstance(second.value, cst.Integer) or _SIZE.search(dotted(second.value))
        return bool(size) and _PREDICT_ARGUMENTS.issuperset(keywords)
    return _PREDICT_ARGUMENTS.issuperset(keywords)


def gives_one(flow: Flow, call: cst.Call, owner: cst.BaseExpression) -> bool:
    """Whether a model has one output for sure: what it predicts is used as an array, or is built as one."""
    if isinstance(flow.model.parent(call), cst.Attribute):
        return True
    sources = flow.sources(owner)
    return bool(sources) and all(_outputs_of(flow, s) == "one" for s in sources)


def no_array(flow: Flow, call: cst.Call, owner: cst.BaseExpression) -> str:
    """Why `.numpy()` behind a call of a model would not give an array, "" where nothing is against it."""
    if _OTHER_BACKEND.search(flow.model.text):
        return "tensors of Keras's other backends have another way to become arrays"
    if gives_several(flow, call, owner):
        return "the model gives several outputs, and each of them needs its own `.numpy()`"
    if any(isinstance(s, cst.Call) and _PRETRAINED.match(flow.api(s.func)) for s in flow.sources(owner)):
        return "models of transformers give an object with fields, which has no `.numpy()` itself"
    return ""


def gives_several(flow: Flow, call: cst.Call, owner: cst.BaseExpression) -> bool:
    """Whether a model gives a list of outputs: it is built so, or what it predicts is unpacked."""
    above = flow.model.parent(call)
    targets = above.targets if isinstance(above, cst.Assign) and above.value is call else ()
    if any(isinstance(t.target, (cst.Tuple, cst.List)) for t in targets):
        return True
    return any(_outputs_of(flow, s) == "several" for s in flow.sources(owner))


def _outputs_of(flow: Flow, source: cst.CSTNode) -> str:
    """How many outputs a model has: "one", "several" or "unknown"."""
    if not isinstance(source, cst.Call):
        return "unknown"
    api = flow.api(source.func)
    if not is_keras(api):
        return "unknown"
    if last(api) == "Sequential" or _APPLICATION.match(api):
        return "one"
    given = argument(source, 1, "outputs") if last(api) in ("Model", "Functional") else None
    made = flow.sources(given) if given is not None else ()
    if any(isinstance(s, (cst.List, cst.Dict, cst.Tuple)) and len(s.elements) > 1 for s in made):
        return "several"
    return "one" if made and all(_is_layer_call(flow, s) for s in made) else "unknown"


def _is_layer_call(flow: Flow, source: cst.CSTNode) -> bool:
    """Whether a value is the result of calling one layer: `Dense(2)(h)`."""
    return (
        isinstance(source, cst.Call)
        and isinstance(source.func, cst.Call)
        and ".layers." in flow.api(source.func.func)
    )


def _source_kind(flow: Flow, source: cst.CSTNode) -> str:
    if isinstance(source, cst.Call):
        if makes_model(flow, source):
            return "yes"
        api = flow.api(source.func)
        if is_keras(api) or api.startswith("tf.") or _OTHER.match(api):
            return "no"
        made = [c for c in flow.graph.callees(source) if isinstance(c, cst.ClassDef)]
        # A class of another library may have methods of the same names, whatever it is built on.
        named = any(part[:1].isupper() for part in api.split(".")[-2:]) and "." in api
        return "no" if made or named else "unknown"
    if isinstance(source, _NO_MODELS):
        return "no"
    return "none" if dotted(source) == "None" else "unknown"


def method_calls(flow: Flow, *methods: str) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The calls of methods with these names, each with what it is called on."""
    yield from _called_on(flow.named, methods)


def cross_module_method_calls(flow: Flow, *methods: str) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The same in functions of other files that the file calls."""
    yield from _called_on(flow.graph.named_in_other_modules, methods)


def led_to(flow: Flow, *names: str) -> Iterator[cst.Call]:
    """The calls of APIs with these last names, in the file and in functions of other files that it calls."""
    yield from flow.calls(*names)
    for name in names:
        yield from flow.graph.named_in_other_modules(name)


def _called_on(
    named: Callable[[str], list[cst.Call]], methods: tuple[str, ...]
) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    for method in methods:
        for call in named(method):
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == method:
                yield call, call.func.value


def trained(flow: Flow) -> list[cst.Call]:
    """The calls that train a Keras model: fit, train_on_batch and their kin."""
    methods = ("fit", "train_on_batch", "fit_generator")
    return [call for call, owner in method_calls(flow, *methods) if model_kind(flow, owner) != "no"]


def batch_hook(flow: Flow, call: cst.Call) -> cst.FunctionDef | None:
    """The method of a callback around a call that Keras calls for every batch, where nothing skips it."""
    function, owner = flow.model.function_of(call), flow.model.class_of(call)
    if function is None or owner is None or not _BATCH_HOOK.match(function.name.value):
        return None
    between = itertools.takewhile(lambda above: above is not function, flow.model.ancestors(call))
    called = is_callback(flow, owner)
    return function if called and not any(isinstance(above, cst.If) for above in between) else None
