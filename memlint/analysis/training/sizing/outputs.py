"""How large what a forward pass gives is, and the gradients of a module, as far as the file shows.

The bytes are those of float32 numbers. Of an output they are the width of the last layer (or the number of
classes that a library's network or the loss is told) times the rows of a batch: its `batch_size=` where a
loader states one, else `ROWS`; `TOKENS` where the loss sees every token of a sequence as a row. Where no
width is visible, a sign has to speak of size: a vocabulary, an image, a sequence.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.constants import constant
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import size_hints
from memlint.analysis.knowledge.libraries import CLASSIFIERS, IMAGE_MODELS, MODEL_PATHS
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.workers import loader_argument
from memlint.analysis.training.sizing.last_layers import sizing_layers
from memlint.analysis.training.sizing.modules import language_model, layers, parameter_count, widest_linear
from memlint.analysis.values import Const, Obj, Ref, options_of
from memlint.records import dataclass
from memlint.syntax.expressions import calls_in, literal, speaks_of
from memlint.syntax.tree import last_name

SMALL = 2 * 2**20
"""Bytes below which a tensor is no matter: the block that torch's caching allocator takes for small tensors
(`kSmallBuffer` in its CUDACachingAllocator.cpp), and a four-thousandth of a GPU of 8 GB."""
ROWS = 256
"""Samples in a batch whose size is not visible."""
TOKENS = 4096
"""Tokens in a batch of sequences: 32 sequences of 128, for example."""
VOCABULARY = 10_000
"""Classes from which on they are the words of a vocabulary, whatever layer has them."""

_NUMBER = 4
_CLASSES = 1000
_ROWS_OF_TOKENS = frozenset("view reshape flatten transpose permute".split())
_RESHAPES = ("view", "reshape")
_LOSSES = ("cross_entropy", "nll_loss", "CrossEntropyLoss")
_UPSAMPLES = ("Conv", "Upsample", "PixelShuffle", "interpolate", "upsample", "pixel_shuffle", "grid_sample")
_SIZED = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN", "torch.nn.Transformer", "torch.nn.Multihead")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a tensor: `width` numbers in each row and about `bytes` in all, 0 where not visible.

    `sign` names what speaks of many elements where no number does, "" for nothing.
    """

    width: int = 0
    bytes: int = 0
    sign: str = ""

    @property
    def matters(self) -> bool:
        """Whether the tensor is seen, or has to be taken, to have `SMALL` bytes or more."""
        return self.bytes >= SMALL if self.bytes else bool(self.sign)


@cached
def output_size(model: ScriptModel, forward: Forward) -> Size:
    """The size of what a forward pass gives; of several modules that it may run, the largest."""
    objects = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    losses = list(_losses(model, forward))
    found = [_width(model, obj) for obj in objects]
    found += [Size(width=n) for loss in losses if (n := _told(model, loss))]
    by_token = any(_takes_tokens(loss) for loss in losses)
    rows = TOKENS if by_token else _batch_size(model, forward)
    width = max((size.width for size in found), default=0)
    signs = [size.sign for size in found if size.sign]
    signs += ["a sequence"] if by_token else []
    signs += ["an image for each sample"] if any(_compares_images(loss) for loss in losses) else []
    if signs and (not width or any(size.sign and not size.width for size in found)):
        return Size(width, 0, signs[0])
    return Size(width, width * rows * _NUMBER)


@cached
def gradient_size(model: ScriptModel, obj: Obj) -> Size:
    """The size of the gradients of a module: that of its parameters, if all of them are visible."""
    count = parameter_count(model, obj)
    inside = layers(model, obj)
    sized = not any(o.path.startswith(_SIZED) or MODEL_PATHS.match(o.path) or o.by_name for o in inside)
    known = count * _NUMBER
    if known >= SMALL or (known and sized):
        return Size(count, known)
    library = next((o.path for o in inside if MODEL_PATHS.match(o.path)), "")
    if library or language_model(obj):
        return Size(sign=language_model(obj) or library)
    if any(_speaks_of_words(o) for o in inside):
        return Size(sign="a vocabulary")
    named = next((name for name in _names(obj) if size_hints.LARGE_NETWORK.search(name)), "")
    return Size(sign=named)


def _names(obj: Obj) -> tuple[str, str]:
    """What a module is called: the variable that it came in, and its class."""
    return obj.name.rpartition(".")[2], obj.cls.node.name.value if obj.cls is not None else ""


def _width(model: ScriptModel, obj: Obj) -> Size:
    """The numbers in each row that a module gives, or what speaks of their number."""
    if language_model(obj):
        return Size(sign=language_model(obj))
    if IMAGE_MODELS.match(obj.path):
        return Size(sign="an image for each sample")
    if CLASSIFIERS.match(obj.path):
        return Size(width=_number(obj, "num_classes") or _number(obj, "num_labels") or _CLASSES)
    last = sizing_layers(model, obj)
    linear = [x.layer for x in last if x.layer is not None and x.layer.path.endswith(".Linear")]
    if linear:
        known = max(_number(layer, "1") or _number(layer, "out_features") for layer in linear)
        words = not known and any(map(_speaks_of_words, linear))
        return Size(width=known, sign="a vocabulary" if words else "")
    names = _names(obj)
    if any(size_hints.DISCRIMINATOR.search(name) for name in names):
        return Size()
    if any(x.name.rpartition(".")[2].startswith(_UPSAMPLES) for x in last):
        return Size(sign="an image for each sample")
    wide = widest_linear(model, obj)
    if wide >= VOCABULARY:
        return Size(sign=f"{wide} classes")
    if any(size_hints.GIVES_TOKENS.search(name) for name in names):
        return Size(sign="a vocabulary")
    return Size(sign="an image for each sample" if any(map(size_hints.GIVES_IMAGES.search, names)) else "")


def _number(obj: Obj, name: str) -> int:
    value = obj.args.get(name)
    return value.value if isinstance(value, Const) and type(value.value) is int else 0


def _speaks_of_words(layer: Obj) -> bool:
    """Whether the width of a linear layer, or the rows of an embedding, are called a vocabulary."""
    if not layer.path.endswith((".Linear", ".Embedding")) or not isinstance(layer.node, cst.Call):
        return False
    return any(speaks_of(arg.value, size_hints.VOCABULARY) for arg in layer.node.args)


# --- what the loss says -------------------------------------------------------------------------------


def _losses(model: ScriptModel, forward: Forward) -> Iterator[cst.Call]:
    """The losses whose first argument is what a forward gave, in other shapes at most.

    A network may take its loss itself: then it is the one in its `forward`.
    """
    losses = _losses_of_values(model)
    yield from dict.fromkeys(loss for number in sorted(forward.ids) for loss in losses.get(number, ()))
    for option in options_of(forward.module):
        owner = option.obj.cls if isinstance(option, Ref) else None
        found = owner.find("forward") if owner is not None else None
        yield from calls_in(found[0], *_LOSSES) if found is not None else ()


@cached
def _losses_of_values(model: ScriptModel) -> dict[int, list[cst.Call]]:
    """The losses whose first argument is a value, in other shapes at most."""
    found: dict[int, list[cst.Call]] = {}
    for criterion in model.trace.criteria.values():
        if isinstance(criterion.node, cst.Call):
            for number in model.trace.ancestors(criterion.inputs, lightweight_only=True):
                found.setdefault(number, []).append(criterion.node)
    return found


def _first_call(loss: cst.Call) -> cst.Call | None:
    first = loss.args[0].value if loss.args else None
    return first if isinstance(first, cst.Call) and isinstance(first.func, cst.Attribute) else None


def _takes_tokens(loss: cst.Call) -> bool:
    """Whether a loss makes rows of the tokens: `cross_entropy(logits.view(-1, n), y.view(-1))`."""
    call = _first_call(loss)
    if call is None or last_name(call.func) not in _ROWS_OF_TOKENS:
        return False
    # `view(speakers, -1, width)` only tells rows apart that are rows already.
    by_token = len(call.args) == 2 and literal(call.args[0].value) == -1
    return by_token or last_name(call.func) not in _RESHAPES


def _told(model: ScriptModel, loss: cst.Call) -> int:
    """The number of classes that a loss is written with: `logits.view(-1, 50257)`."""
    call = _first_call(loss)
    if call is None or last_name(call.func) not in _RESHAPES:
        return 0
    known = (constant(model, arg.value) for arg in call.args)
    return max((n for n in known if type(n) is int), default=0)


def _compares_images(loss: cst.Call) -> bool:
    return any(size_hints.IMAGE_TARGET.search(last_name(arg.value)) for arg in loss.args[1:])


def _batch_size(model: ScriptModel, forward: Forward) -> int:
    """The rows of a batch: what a loader around the forward states, else `ROWS`."""
    for loop in reversed(forward.loops):
        for option in options_of(loop.iterates) if loop.iterates is not None else ():
            loader = option.obj if isinstance(option, Ref) else None
            if loader is None or loader.kind != "loader" or not isinstance(loader.node, cst.Call):
                continue
            given = loader_argument(model, loader, "batch_size")
            size = constant(model, given) if given is not None else None
            if type(size) is int and size > 0:
                return size
    return ROWS
