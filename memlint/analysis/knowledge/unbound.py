"""What a name means that a file never imports: in a snippet without imports, or behind `from x import *`.

In code that runs, an unbound `torch` can only be the module. The names are those under which tutorials and
published training scripts import torch and its parts; `torch.nn` and `torch.optim` are the public classes
of torch 2.13.
"""

from __future__ import annotations

from collections.abc import Collection

from memlint.analysis.knowledge.patterns import pattern

_MEANING = {
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "optim": "torch.optim",
    "amp": "torch.amp",
    "no_grad": "torch.no_grad",
    "inference_mode": "torch.inference_mode",
    "set_grad_enabled": "torch.set_grad_enabled",
    "Variable": "torch.autograd.Variable",
    "DataLoader": "torch.utils.data.DataLoader",
    "tf": "tensorflow",
    "keras": "keras",
    "np": "numpy",
    "pd": "pandas",
    "torchvision": "torchvision",
    "models": "torchvision.models",
    "vutils": "torchvision.utils",
    "make_grid": "torchvision.utils.make_grid",
    "save_image": "torchvision.utils.save_image",
    "plt": "matplotlib.pyplot",
    "Image": "PIL.Image",
    "json": "json",
    "pickle": "pickle",
    "os": "os",
    "gc": "gc",
    "copy": "copy",
    "deepcopy": "copy.deepcopy",
    "glob": "glob",
    "csv": "csv",
    "itertools": "itertools",
    "deque": "collections.deque",
    "defaultdict": "collections.defaultdict",
}
MODULES = {name: (_MEANING[name], "torch") for name in ("torch", "nn", "F", "optim")}
"""Names that mean torch and its parts where a file binds `torch` itself, as a parameter or by a function that
imports it if it can: `torch, nn = try_import_torch()`."""

_APEX = frozenset({"initialize", "scale_loss", "master_params"})

OTHER_FRAMEWORKS = frozenset(
    "paddle mindspore mxnet jittor oneflow tinygrad chainer flax jax haiku equinox mlx micrograd warp".split()
)
"""Packages with names and methods of their own that look like those of torch."""

PORTED = frozenset("tensorflow tf_agents jax flax mindspore paddle mxnet".split())
"""Frameworks after which projects name a subpackage that holds the same code for them."""

WITHOUT_TORCH = pattern(
    r"(TF\w+|TensorFlow\w+|\w*Tokenizer(Fast|Base)?|\w*Config|\w*Processor|\w*FeatureExtractor|set_seed|logging)$"
)
"""What transformers 4 and 5 offer that is no network of torch: of TensorFlow, or of neither."""

IDIOMS = (
    frozenset({"zero_grad", "backward"}),
    frozenset({"zero_grad", "eval"}),
    frozenset({"eval", "cuda"}),
    frozenset({"eval", "to", "item"}),
    frozenset({"backward", "cuda"}),
    frozenset({"backward", "step"}),
    frozenset({"eval", "load_state_dict"}),
    frozenset({"named_parameters"}),
    frozenset({"register_forward_hook"}),
)
"""Methods that only code for torch calls together, each without an argument or with a state."""

_EXPORTS = {
    "torch": pattern(
        r"(no_grad|inference_mode|enable_grad|set_grad_enabled|nn|optim|cuda|autograd|load|save)$"
    ),
    "torch.nn": pattern(
        r"(Module|Sequential|ModuleList|ModuleDict|Parameter|DataParallel|Linear|Bilinear|Flatten|Identity"
        r"|Dropout[123]?d?|\w*Conv(Transpose)?[123]d|\w*(Max|Avg)Pool[123]d|\w*Norm([123]d)?|Embedding(Bag)?"
        r"|(RNN|LSTM|GRU)(Cell)?|Transformer\w*|MultiheadAttention|(Leaky)?ReLU6?|[SGPR]?ELU|SiLU|Tanh|Sigmoid"
        r"|(Log)?Softmax|\w+Loss)$"
    ),
    "torch.optim": pattern(
        r"(A?SGD|LBFGS|Rprop|RMSprop|SparseAdam|[RN]?Adam(W|ax)?|Ada(grad|delta|factor))$"
    ),
    "torch.autograd": pattern(r"(Variable|grad|Function)$"),
    "torch.utils.data": pattern(r"(DataLoader|\w*Dataset|\w*Sampler|Subset|random_split)$"),
}


def meaning(name: str, rest: str, stars: Collection[str]) -> str:
    """The import path of a name that nothing in a file binds, with what follows it; "" where it has none.

    `stars` are the modules that the file imports `*` from.
    """
    if any(star.partition(".")[0] in OTHER_FRAMEWORKS for star in stars):
        return ""
    found = _MEANING.get(name, "")
    if name == "amp" and rest.partition(".")[0] in _APEX:
        found = "apex.amp"
    if not found:
        exported = (star for star in stars if star in _EXPORTS and _EXPORTS[star].match(name))
        found = next((f"{star}.{name}" for star in exported), "")
    return f"{found}.{rest}" if found and rest else found


def torch_alone(name: str, rest: str, stars: Collection[str]) -> str:
    """The same for an excerpt of a file, whose other names may be bound where it was not read."""
    return meaning(name, rest, stars) if name == "torch" else ""
