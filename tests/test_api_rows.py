"""Every API that is gone, renamed, deprecated or never was, in the ways in which scripts write it."""

from __future__ import annotations

import pytest

from memlint import catalogue
from memlint.engine import check as engine

CODES = frozenset(rule.code for rule in catalogue.load())

TRAINING = """
def train(net, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x), y)
        {line}
        opt.step()
"""

ROWS: dict[str, tuple[str, tuple[str, ...]]] = {
    "amp.scale_loss": ("MEM901", (
        "import torch\ntorch.cuda.amp.scale_loss(loss, opt).backward()",
        "from torch.cuda import amp\nwith amp.scale_loss(loss, opt) as s:\n    s.backward()",
        "from torch.cuda.amp import scale_loss as sl\nwith sl(loss, opt) as s:\n    s.backward()",
        "import torch.amp as ta\nwith ta.scale_loss(loss, opt) as s:\n    s.backward()",
        "import torch\nnet, opt = torch.cuda.amp.initialize(net, opt)",
    )),
    "cuda.amp.autocast": ("MEM903", (
        "import torch\nwith torch.cuda.amp.autocast(True, torch.bfloat16):\n    pass",
        "from torch.cuda.amp import autocast as cast\nwith cast(enabled=fp16):\n    pass",
        "import torch.cuda.amp as amp\n@amp.autocast()\ndef forward(x):\n    return x",
        "from torch.cuda import amp\nctx = amp.autocast",
    )),
    "cuda.amp.GradScaler": ("MEM903", (
        "import torch\nscaler = torch.cuda.amp.GradScaler()",
        "from torch.cuda.amp import GradScaler as Scaler\nclass T:\n    def __init__(self):\n"
        "        self.scaler = Scaler(2.0**8)",
        "from torch.cuda.amp.grad_scaler import GradScaler\nscaler = GradScaler(enabled=False)",
    )),
    "cpu.amp": ("MEM903", (
        "import torch\nwith torch.cpu.amp.autocast():\n    pass",
        "from torch.cpu.amp import autocast, GradScaler\ns = GradScaler()",
    )),
    "custom_fwd": ("MEM903", (
        "from torch.cuda.amp import custom_fwd\n@custom_fwd\ndef forward(ctx, x):\n    return x",
        "import torch\n@torch.cuda.amp.custom_bwd\ndef backward(ctx, g):\n    return g",
        "from torch.cuda import amp\n@amp.custom_fwd(cast_inputs=torch.float32)\ndef forward(ctx, x):\n"
        "    return x",
    )),
    "amp.autocast without a device": ("MEM902", (
        "import torch\nwith torch.amp.autocast():\n    pass",
        "import torch\nwith torch.autocast(enabled=True):\n    pass",
        "from torch import autocast as ac\nwith ac():\n    pass",
    )),
    "autocast_gpu_dtype": ("MEM904", (
        "import torch\ntorch.set_autocast_gpu_dtype(torch.bfloat16)",
        "from torch import get_autocast_gpu_dtype as g\nd = g()",
    )),
    "memory_cached": ("MEM904", (
        "import torch\nprint(torch.cuda.memory_cached())",
        "from torch import cuda\nprint(cuda.max_memory_cached(0))",
        "from torch.cuda import memory_cached as m\nprint(m())",
        "import torch.cuda.memory as mem\nprint(mem.memory_cached())",
    )),
    "reset_max_memory": ("MEM904", (
        "import torch\ntorch.cuda.reset_max_memory_allocated(device=0)",
        "from torch.cuda import reset_max_memory_cached\nreset_max_memory_cached()",
    )),
    "allocator settings": ("MEM904", (
        "import torch\ntorch.cuda.memory._set_allocator_settings('expandable_segments:True')",
    )),
    "PYTORCH_CUDA_ALLOC_CONF": ("MEM906", (
        "import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'backend:native'\nimport torch",
        "from os import environ\nenviron.setdefault('PYTORCH_CUDA_ALLOC_CONF', 'backend:native')\n"
        "import torch",
    )),
    "a function imported as a module": ("MEM902", (
        "import torch.cuda.memory_allocated as used\nprint(used())",
        "import torch.cuda.empty_cache\ntorch.cuda.empty_cache()",
        "import torch.utils.data.DataLoader as Loader\nloader = Loader([])",
    )),
    "count_parameters": ("MEM902", (
        "from torch.nn.utils.common_utils import count_parameters\nprint(count_parameters(net))",
        "from torch.nn.utils import count_parameters as n\nprint(n(net))",
        "import torch\nprint(torch.nn.utils.count_parameters(net))",
    )),
    "clear_cache": ("MEM902", (
        "import torch\ntorch.cuda.clear_cache()",
        "import torch.cuda as tc\ntc.clear_memory()",
        "from torch.cuda import free_memory as free\nfree()",
        "from torch import cuda\ncuda.release_memory()",
        "import torch\ntorch.cuda.set_memory_fraction(0.5)",
        "import torch\nfree, total = torch.cuda.get_memory_info()",
        "from torch.cuda import memory_info\nprint(memory_info(0))",
    )),
    "memory fraction": ("MEM504", (
        "import torch\ntorch.cuda.set_per_process_memory_fraction(1)",
        "from torch.cuda import set_per_process_memory_fraction as cap\ncap(fraction=1, device=0)",
        "from torch import cuda\nSHARE = 2\ncuda.set_per_process_memory_fraction(SHARE)",
    )),
    "volatile": ("MEM902", (
        "import torch\nfrom torch.autograd import Variable\nx = Variable(x, volatile=True)",
        "import torch\nx = torch.autograd.Variable(x, requires_grad=False, volatile=True)",
        "from torch.autograd import Variable as V\nx = V(x.cuda(), volatile=not training)",
    )),
    "loss.data[0]": ("MEM902", (
        "import torch\n" + TRAINING.format(line="loss.backward(); total = loss.data[0]"),
        "import torch\n" + TRAINING.format(line="loss.backward(); print('%f' % loss.data[0])"),
    )),
    "checkpoint": ("MEM905", (
        "from torch.utils.checkpoint import checkpoint\ny = checkpoint(block, x)",
        "import torch.utils.checkpoint as cp\ny = cp.checkpoint_sequential(blocks, 2, x)",
        "from torch.utils import checkpoint as c\ny = c.checkpoint(block, x, preserve_rng_state=False)",
        "import torch\ny = torch.utils.checkpoint.checkpoint(block, x)",
    )),
    "pin_memory_device": ("MEM906", (
        "from torch.utils.data import DataLoader\n"
        "d = DataLoader(ds, pin_memory=True, pin_memory_device='cuda')",
        "import torch.utils.data as data\nd = data.DataLoader(ds, pin_memory_device=dev)",
    )),
    "prefetch without workers": ("MEM906", (
        "from torch.utils.data import DataLoader\nd = DataLoader(ds, num_workers=0, prefetch_factor=4)",
        "from torch.utils.data import DataLoader as DL\nd = DL(ds, persistent_workers=True)",
        "import torch\nW = 0\n"
        "d = torch.utils.data.DataLoader(ds, 8, False, None, None, W, prefetch_factor=2)",
    )),
    "zero_grad": ("MEM906", (
        "import torch\n"
        "" + TRAINING.format(line="loss.backward()").replace("zero_grad()", "zero_grad(set_to_none=True)"),
    )),
    "broadcast_buffers": ("MEM906", (
        "from torch.nn.parallel import DistributedDataParallel as DDP\n"
        "net = DDP(net, broadcast_buffers=False)",
        "import torch\nnet = torch.nn.parallel.DistributedDataParallel(net, broadcast_buffers=True)",
    )),
    "sdp_kernel": ("MEM904", (
        "import torch\nwith torch.backends.cuda.sdp_kernel(enable_flash=True):\n    pass",
        "from torch.backends.cuda import sdp_kernel as k\nwith k():\n    pass",
    )),
    "distributed.launch": ("MEM904", (
        "import torch\nimport os\nos.system('python -m torch.distributed.launch train.py')",
        "import torch, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'torch.distributed.launch', 'x.py'])",
    )),
    "clip_grad_norm": ("MEM904", (
        "import torch\ntorch.nn.utils.clip_grad_norm(net.parameters(), 1.0)",
        "from torch.nn.utils import clip_grad_norm as clip\nclip(net.parameters(), 1.0)",
        "from torch.nn import utils\nutils.clip_grad_norm(net.parameters(), max_norm=1.0)",
    )),
    "verbose": ("MEM902", (
        "import torch\nclass T:\n    def __init__(self):\n"
        "        self.s = torch.optim.lr_scheduler.StepLR(self.optimizer, 3, verbose=True)",
        "from torch.optim.lr_scheduler import ReduceLROnPlateau as R\ns = R(opt, verbose=False)",
        "from torch.optim import lr_scheduler as ls\ns = ls.OneCycleLR(opt, 0.1, total_steps=9, verbose=1)",
    )),
    "set_default_tensor_type": ("MEM904", (
        "import torch\ntorch.set_default_tensor_type(torch.cuda.FloatTensor)",
        "from torch import set_default_tensor_type\nset_default_tensor_type('torch.cuda.FloatTensor')",
    )),
    "DataParallel": ("MEM601", (
        "import torch\n"
        "" + TRAINING.format(line="loss.backward()").replace("    for x, y", "    net = "
        "torch.nn.DataParallel(net.cuda())\n    for x, y"),
    )),
    "torch_dtype": ("MEM906", (
        "import torch\nfrom transformers import AutoModel\n"
        "m = AutoModel.from_pretrained('x', torch_dtype=torch.float16)",
        "import torch, transformers\n"
        "m = transformers.AutoModelForCausalLM.from_pretrained('x', torch_dtype='auto')",
    )),
    "low_cpu_mem_usage": ("MEM906", (
        "import torch\nfrom transformers import LlamaForCausalLM as L\n"
        "m = L.from_pretrained('x', low_cpu_mem_usage=True)",
    )),
    "group_by_length": ("MEM907", (
        "from transformers import TrainingArguments\na = TrainingArguments('o', group_by_length=True)",
        "import transformers as t\na = t.TrainingArguments('o', evaluation_strategy='epoch')",
        "from transformers import Seq2SeqTrainingArguments as A\na = A('o', no_cuda=True)",
    )),
    "epoch_end": ("MEM907", (
        "import pytorch_lightning as pl\nclass M(pl.LightningModule):\n"
        "    def validation_epoch_end(self, outs):\n        pass",
        "from lightning import LightningModule\nclass M(LightningModule):\n"
        "    def training_epoch_end(self, outs):\n        pass",
        "import lightning.pytorch as pl\nclass M(pl.LightningModule):\n"
        "    def test_epoch_end(self, outputs):\n        pass",
    )),
    "precision=16": ("MEM907", (
        "import pytorch_lightning as pl\nt = pl.Trainer(precision=16)",
        "from lightning.pytorch import Trainer as T\nt = T(precision='bf16')",
        "from pytorch_lightning import Trainer\nt = Trainer(gpus=2)",
    )),
    "mixed_precision.experimental": ("MTF101", (
        "import tensorflow as tf\ntf.keras.mixed_precision.experimental.set_policy('mixed_float16')",
        "from tensorflow.keras.mixed_precision import experimental as mp\nmp.set_policy('mixed_float16')",
        "from tensorflow import keras\nkeras.mixed_precision.experimental.Policy('mixed_float16')",
        "import tensorflow as tf\no = tf.train.experimental.enable_mixed_precision_graph_rewrite(o)",
    )),
    "mem_fraction": ("MTF102", (
        "import tensorflow as tf\n"
        "c = tf.config.experimental.VirtualDeviceConfiguration('gpu', mem_fraction=0.5)",
        "from tensorflow.config import LogicalDeviceConfiguration as C\nc = C(memory=1024)",
    )),
    "config names": ("MTF101", (
        "import tensorflow as tf\ntf.config.set_memory_growth(gpu, True)",
        "from tensorflow import config\nconfig.set_memory_growth(gpu, True)",
        "import tensorflow as tf\ntf.config.gpu.set_per_process_memory_growth(True)",
    )),
    "AUTOTUNE": ("MTF107", (
        "import tensorflow as tf\nn = tf.data.experimental.AUTOTUNE",
        "import tensorflow.data as data\nn = data.experimental.AUTOTUNE",
    )),
    "TensorFlow 1": ("MTF101", (
        "import tensorflow as tf\ns = tf.Session(config=None)",
        "from tensorflow import ConfigProto\nc = ConfigProto()",
        "import tensorflow as tf\no = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)",
        "from tensorflow import placeholder as ph\nx = ph('float32')",
        "from tensorflow.contrib import layers\nlayers.x()",
        "import tensorflow as tf\ntf.reset_default_graph()",
        "from keras import backend as K\nK.set_session(K.get_session())",
        "from tensorflow.keras.backend import set_session\nset_session(None)",
        "import keras\nm = keras.Sequential([])\nm.fit_generator(gen)",
        "import keras\nclass T:\n    def __init__(self):\n        self.model = keras.Model(a, b)\n"
        "    def run(self, g):\n        return self.model.predict_generator(g)",
        "from keras.models import load_model\nload_model('x').evaluate_generator(gen)",
        "from keras.utils import multi_gpu_model as mg\nm = mg(m, 2)",
    )),
}  # fmt: skip

SHADOWS = (
    "import torch\nfrom mine import amp\nwith amp.scale_loss(loss, opt) as s:\n    s.backward()",
    "import torch\nfrom mine import autocast, GradScaler, clip_grad_norm, memory_cached, checkpoint\n"
    "with autocast():\n    y = checkpoint(f, x)\ns = GradScaler()\nclip_grad_norm(p, 1.0)\nmemory_cached()",
    "import torch\ndef checkpoint(f, x):\n    return f(x)\ny = checkpoint(f, x)",
    "import torch\nclass Cuda:\n    def clear_cache(self):\n        pass\ncuda = Cuda()\ncuda.clear_cache()",
    "import torch\ndef count_parameters(m):\n    return 0\ncount_parameters(net)",
    "import torch\nclass Variable:\n    def __init__(self, x, volatile):\n        self.data = x\n"
    "v = Variable(x, volatile=True)\nv.data[0]",
    "import torch\nclass StepLR:\n    def __init__(self, o, n, verbose):\n        pass\n"
    "s = StepLR(o, 3, verbose=True)",
    "import torch\nclass DataLoader:\n    def __init__(self, ds, **kw):\n        pass\n"
    "d = DataLoader(ds, num_workers=0, prefetch_factor=4, pin_memory_device='x')",
    "import torch\nfrom mine import AutoModel\n"
    "m = AutoModel.from_pretrained('x', torch_dtype=torch.float16, low_cpu_mem_usage=True)",
    "import torch\nfrom mine import Trainer, TrainingArguments\n"
    "a = TrainingArguments('o', group_by_length=True)\nt = Trainer(precision=16, gpus=1)",
    "import torch\nclass Callback:\n    def validation_epoch_end(self, outs):\n        pass",
    "import torch\nfrom mine import set_default_tensor_type, sdp_kernel\nset_default_tensor_type(x)\n"
    "with sdp_kernel():\n    pass",
    "import tensorflow as tf\nclass Session:\n    pass\ns = Session()",
    "import tensorflow as tf\nclass tf2:\n    Session = ConfigProto = None\ntf2.Session\ntf2.ConfigProto",
    "import tensorflow as tf\nclass Own:\n    def fit_generator(self, g):\n        pass\n"
    "Own().fit_generator(gen)",
    "import tensorflow.compat.v1 as tf\ns = tf.Session(config=tf.ConfigProto())\n"
    "x = tf.placeholder('float32')",
    "import torch\ntry:\n    from torch.cuda.amp import autocast\nexcept ImportError:\n    autocast = None",
    "import torch\nif hasattr(torch.cuda, 'memory_info'):\n    torch.cuda.memory_info()",
)  # fmt: skip
"""Names that the file or its own modules define, other homes of a name, and guarded uses."""

RIGHT = (
    "import torch\nprint(torch.cuda.utilization(), torch.cuda.memory_usage())",
    "import torch\nblob = torch.load('x.pt', weights_only=True)",
    "import torch\nfrom transformers import TrainingArguments\na = TrainingArguments('o', optim='sgd')",
)
"""Names with a catch that no rule speaks of: they exist, and what they need or default to is no fault."""

CASES = [(name, code, text) for name, (code, texts) in ROWS.items() for text in texts]
TABLES = frozenset({*(code for code, _ in ROWS.values())} - {"MEM601", "MEM504"})


def codes_in(text: str) -> set[str]:
    report = engine.check(text, "script.py", engine.Checks(CODES, CODES, "script.py"))
    assert not report.failed
    return {finding.code for finding in report.findings}


@pytest.mark.parametrize(
    ("name", "code", "text"), CASES, ids=[f"{n}-{i}" for i, (n, _, _) in enumerate(CASES)]
)
def test_each_name_is_reported_in_each_form(name: str, code: str, text: str) -> None:
    assert code in codes_in(text + "\n"), name


@pytest.mark.parametrize("text", SHADOWS + RIGHT)
def test_other_things_of_the_same_name_are_not(text: str) -> None:
    assert codes_in(text + "\n") & TABLES == set()
