"""What a DataLoader's dataset does for one item: nothing but indexing, or work that workers could share."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.knowledge import data_hints, libraries, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import NONE, Class, Const, Items, Obj, Ref, Scalar, Tensor, Value, options_of
from memlint.records import dataclass
from memlint.syntax.expressions import place, places_in, speaks_of
from memlint.syntax.tree import dotted, last_name

_WORK = re.compile(
    r"^(PIL\.Image\.open|PIL\.\w+|cv2\.\w+|librosa\.\w+|soundfile\.\w+|torchaudio\.(load|transforms\.\w+|compliance\.\w+)|h5py\.File|json\.loads?|requests\.\w+"
    r"|numpy\.(load|loadtxt|genfromtxt|fromfile)|torchvision\.(io\.\w+|transforms\.(\w+\.)*\w+|datasets\.folder\.\w+)|torch\.load|imageio\.\w+|skimage\.(io|transform)\.\w+|scipy\.io\.\w+"
    r"|pandas\.read_\w+|pickle\.load|nibabel\.load|pydicom\.\w+|tifffile\.\w+|rasterio\.open|decord\.\w+|albumentations\.\w+|builtins\.open|open|zipfile\.\w+|lz4\.\w+|gzip\.open)$"
)
_FILE_DATASETS = re.compile(
    r"^torchvision\.datasets\.(\w+\.)*(ImageFolder|DatasetFolder|ImageNet|Coco\w*|VOC\w*|CelebA|Cityscapes|Flowers102|Food101|Places365|INaturalist|Kinetics\w*|LSUN\w*|OxfordIIITPet|StanfordCars|Caltech\w+|SBDataset|WIDERFace|GTSRB|FGVCAircraft|DTD|SUN397|Country211|UCF101|HMDB51)$|^torchaudio\.datasets\.\w+$"
)
_CUDA, _CPU = re.compile("cuda"), re.compile("cpu")
_UNSHAREABLE = re.compile(
    r"^(h5py\.File|sqlite3\.connect|lmdb\.open|threading\.R?Lock|multiprocessing\.Lock|builtins\.open|open|psycopg2\.connect)$"
)


@dataclass(frozen=True, slots=True)
class Loading:
    """How one item comes about. kind: "memory", "work" (named by `work`), "unknown" or "unshareable"."""

    kind: str
    work: str = ""


def loading(model: ScriptModel, dataset: Value) -> Loading:
    """What `dataset[i]` does, as far as the file shows."""
    found = [_one(model, option) for option in options_of(dataset)]
    for kind in ("unshareable", "work", "unknown"):
        for item in found:
            if item.kind == kind:
                return item
    return found[0]


def _one(model: ScriptModel, value: Value) -> Loading:
    if isinstance(value, (Items, Tensor, Scalar, Const)):
        return Loading("memory")
    if not isinstance(value, Ref):
        return Loading("unknown")
    obj = value.obj
    if obj.kind in ("list", "dict"):
        return Loading("memory")
    if libraries.IN_MEMORY_DATASETS.match(obj.path):
        return Loading("memory")
    if libraries.DATASET_WRAPPERS.match(obj.path):
        inner = obj.args.get("0", obj.args.get("dataset", NONE))
        return loading(model, inner) if inner != NONE else Loading("unknown")
    if _FILE_DATASETS.match(obj.path):
        return Loading("work", "torchaudio.load" if "audio" in obj.path else "PIL.Image.open")
    if obj.cls is not None:
        return _own_class(model, obj)
    return Loading("unknown")


def _own_class(model: ScriptModel, obj: Obj) -> Loading:
    assert obj.cls is not None
    ancestry = obj.cls.ancestry()
    if any(path.endswith("IterableDataset") for path in ancestry):
        return Loading("unshareable")
    if any(_FILE_DATASETS.match(path) for path in ancestry):
        return Loading("work", next(p for p in ancestry if _FILE_DATASETS.match(p)).rpartition(".")[2])
    found = obj.cls.find("__getitem__")
    if found is None:
        return Loading("unknown")
    start = obj.cls.find("__init__")
    if start is not None and _unshareable(model, start[0]):
        return Loading("unshareable")
    work = _work_in(model, obj, found[0], set())
    return Loading("work", work) if work else Loading("memory")


def _unshareable(model: ScriptModel, init: cst.FunctionDef) -> bool:
    """Whether the constructor keeps what cannot be sent to a worker: handles, locks, CUDA tensors."""
    for node in model.walk(init.body):
        if isinstance(node, cst.Assign) and any(
            any(named.startswith("self.") for named in places_in(t.target)) for t in node.targets
        ):
            for part in model.walk(node.value):
                if isinstance(part, cst.Call):
                    name = model.path_of(part.func) or place(part.func)
                    if _UNSHAREABLE.match(name) and part is node.value:
                        return True
                    if isinstance(part.func, cst.Attribute) and (
                        part.func.attr.value == "cuda"
                        or (part.func.attr.value == "to" and speaks_of(part, _CUDA))
                    ):
                        return True
                    if any(
                        a.keyword is not None and a.keyword.value == "device" and not speaks_of(a.value, _CPU)
                        for a in part.args
                    ):
                        return True
                if isinstance(part, cst.Lambda):
                    return True
    return False


def _work_in(model: ScriptModel, obj: Obj, function: cst.FunctionDef, seen: set[int]) -> str:
    if id(function) in seen or len(seen) > 6:
        return ""
    seen.add(id(function))
    for node in model.walk(function.body):
        if not isinstance(node, cst.Call):
            continue
        name = model.path_of(node.func) or place(node.func) or last_name(node.func)
        if _WORK.match(name):
            return model.short(node.func)
        tail = name.rpartition(".")[2]
        if data_hints.SAMPLE_WORK.match(tail) and not _is_plain_function(model, obj, tail):
            return model.short(node.func)
        inner = _callee(model, obj, node)
        if inner is not None and (work := _work_in(model, obj, inner, seen)):
            return work
    return ""


def _is_plain_function(model: ScriptModel, obj: Obj, name: str) -> bool:
    """Whether such a method is one of the class itself (its body is then read) or only tensor code."""
    assert obj.cls is not None
    return obj.cls.find(name) is not None or not model.imports(
        "torchvision",
        "PIL",
        "cv2",
        "transformers",
        "albumentations",
        "torchaudio",
        "librosa",
        "skimage",
        "tokenizers",
        "monai",
        "kornia",
    )


def _callee(model: ScriptModel, obj: Obj, call: cst.Call) -> cst.FunctionDef | None:
    name = dotted(call.func)
    if name.startswith("self.") and obj.cls is not None:
        found = obj.cls.find(name[5:])
        return found[0] if found is not None else None
    for statement in model.module.body:
        if isinstance(statement, cst.FunctionDef) and statement.name.value == name:
            return statement
    return None


def workers_of(loader: Obj) -> Value | None:
    """The `num_workers` of a loader; None when the call spreads keywords that cannot be seen."""
    for key in ("num_workers", "5"):
        if key in loader.args:
            return loader.args[key]
    return None if "**" in loader.args else Const(0)


def trained_from(model: ScriptModel, loader: Obj) -> bool:
    """Whether a loop that trains goes through the loader, or a function to train with gets it."""
    trace = model.trace
    for loop in trace.iterated.get(loader.id, ()):
        if any(loop in b.loops for b in trace.backwards.values()):
            return True
    return any(
        loader.id in event.objects
        and (naming.trains(event.name) or (event.name == "run" and trace.backwards))
        and not naming.evaluates(event.name)
        for event in trace.opaque_calls.values()
    )


def made_by_package(loader: Obj) -> bool:
    """Whether a package has loaders of its own, whose graphs and events lie in memory as a rule."""
    return loader.path.startswith(libraries.OWN_LOADERS)


def is_prepared(model: ScriptModel, loader: Obj) -> bool:
    """Whether accelerate or Fabric has taken a loader over: what it gives lies on the device already."""
    given = (e for e in model.trace.calls.values() if e.path in libraries.PREPARING_METHODS)
    return any(
        isinstance(o, Ref) and o.obj is loader
        for event in given
        for value in (*event.args, *event.keywords.values())
        for o in options_of(value)
    )


def class_name(value: Value) -> str:
    """How to call a dataset in a sentence; "" where nothing is known of it."""
    for option in options_of(value):
        if isinstance(option, Ref):
            if option.obj.cls is not None:
                return option.obj.cls.node.name.value
            if option.obj.path:
                return option.obj.path.rpartition(".")[2]
            if option.obj.name:
                return option.obj.name
        if isinstance(option, Class):
            return option.info.node.name.value
    return ""
