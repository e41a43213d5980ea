"""Following a name to where it lives now: every way to import it, and what must be left as it is."""

from __future__ import annotations

import pytest

from memlint.edit.apply import fix_text
from memlint.engine import check as engine


def fixed(
    text: str, code: str, torch_version: tuple[int, ...] | None = (2, 6), *, unsafe: bool = False
) -> str:
    """The text after the fixes of one rule."""
    checks = engine.Checks(frozenset({code}), frozenset({code}), "t.py", torch_version)
    result = fix_text(
        text, "t.py", lambda changed: engine.check(changed, "t.py", checks).findings, unsafe=unsafe
    )
    assert result.refused == ""
    return result.text


MOVED = {
    "module by from, positional flag": (
        "from torch.cuda import amp\nwith amp.autocast(False):\n    pass\n",
        'from torch import amp\nwith amp.autocast("cuda", enabled=False):\n    pass\n',
    ),
    "module by import with as": (
        "import torch.cuda.amp as amp\ns = amp.GradScaler(2.0**16, 2.0)\n",
        'import torch.amp as amp\ns = amp.GradScaler("cuda", 2.0**16, 2.0)\n',
    ),
    "names by from, one under another name": (
        "from torch.cuda.amp import autocast as ac, GradScaler  # both\nwith ac():\n"
        "    s = GradScaler(**kw)\n",
        'from torch.amp import autocast as ac, GradScaler  # both\nwith ac("cuda"):\n'
        '    s = GradScaler("cuda", **kw)\n',
    ),
    "parenthesised import in a function keeps its layout": (
        "def f():\n    from torch.cuda.amp import (\n        autocast,  # one\n    )\n"
        "    return autocast(True)\n",
        "def f():\n    from torch.amp import (\n        autocast,  # one\n    )\n"
        '    return autocast("cuda", enabled=True)\n',
    ),
    "torch under another name": (
        "import torch as th\nwith th.cuda.amp.autocast(dtype=th.half):\n    pass\n",
        'import torch as th\nwith th.amp.autocast("cuda", dtype=th.half):\n    pass\n',
    ),
    "torch.cuda by from: torch has to be imported": (
        "from torch import cuda\nwith cuda.amp.autocast():\n    pass\n",
        'from torch import cuda\nimport torch\nwith torch.amp.autocast("cuda"):\n    pass\n',
    ),
    "a name that cannot follow stays behind": (
        "from torch.cuda.amp import autocast, GradScaler\nclass S(GradScaler):\n    pass\nautocast()\n",
        "from torch.cuda.amp import GradScaler\nfrom torch.amp import autocast\n"
        "class S(GradScaler):\n    pass\n"
        'autocast("cuda")\n',
    ),
    "arguments over several lines, with comments": (
        "import torch\nc = torch.cuda.amp.autocast(\n    use,  # flag\n    # type\n    torch.half,\n)\n",
        'import torch\nc = torch.amp.autocast(\n    "cuda", enabled=use,  # flag\n    # type\n'
        "    dtype=torch.half,\n)\n",
    ),
    "annotations follow their import": (
        "from torch.cuda.amp import GradScaler\ndef f(s: GradScaler):\n    return s or GradScaler()\n",
        'from torch.amp import GradScaler\ndef f(s: GradScaler):\n    return s or GradScaler("cuda")\n',
    ),
    "windows line ends": (
        "from torch.cuda.amp import (\r\n    autocast,\r\n)\r\nautocast(a,\r\n    b)\r\n",
        'from torch.amp import (\r\n    autocast,\r\n)\r\nautocast("cuda", enabled=a,\r\n    dtype=b)\r\n',
    ),
}

KEPT = {
    "starred arguments": "import torch\ntorch.cuda.amp.autocast(*args)\n",
    "subclass": "import torch\nclass S(torch.cuda.amp.GradScaler):\n    pass\n",
    "isinstance": "import torch\nisinstance(s, torch.cuda.amp.GradScaler)\n",
    "passed as a value": "import torch\nmake = torch.cuda.amp.autocast\n",
    "TorchScript": "import torch\n@torch.jit.script\ndef f(x):\n"
    "    with torch.cuda.amp.autocast():\n        return x\n",
    "a suppressed use of the same import": (
        "from torch.cuda.amp import autocast\nautocast()  # memlint: ignore[MEM903] -- old torch\n"
        "autocast()\n"
    ),
    "exported": 'from torch.cuda.amp import autocast\n__all__ = ["autocast"]\n',
    "star import": "from torch.cuda.amp import *\nautocast()\n",
    "redefined": "from torch.cuda.amp import autocast\ndef autocast(x):\n    return x\nautocast(3)\n",
}


@pytest.mark.parametrize(("before", "after"), MOVED.values(), ids=MOVED.keys())
def test_deprecated_amp_moves_with_its_import(before: str, after: str) -> None:
    assert fixed(before, "MEM903") == after


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT.keys())
def test_deprecated_amp_is_left_where_moving_it_is_not_certain(text: str) -> None:
    assert fixed(text, "MEM903", unsafe=True) == text


@pytest.mark.parametrize(
    ("version", "moves"), [((2, 4), True), ((2, 3), False), ((1, 13), False), (None, False)]
)
def test_the_move_is_safe_only_for_a_torch_that_has_the_new_name(
    version: tuple[int, ...] | None, moves: bool
) -> None:
    text = "import torch\nwith torch.cuda.amp.autocast():\n    pass\n"
    assert (fixed(text, "MEM903", version) != text) is moves
    assert fixed(text, "MEM903", version, unsafe=True) != text


FIXED = {
    "missing function, imported beside another": (
        "from torch.cuda import clear_cache, is_available\nclear_cache()\n",
        "from torch.cuda import empty_cache, is_available\nempty_cache()\n",
    ),
    "missing function under an own name": (
        "from torch.cuda import clear_cache as cc\ncc()\n",
        "from torch.cuda import empty_cache as cc\ncc()\n",
    ),
    "the right name is imported already": (
        "from torch.cuda import clear_cache, empty_cache\nclear_cache()\n",
        "from torch.cuda import empty_cache\nempty_cache()\n",
    ),
    "the right name means something else": (
        "from torch.cuda import clear_cache\ndef empty_cache():\n    clear_cache()\n",
        "from torch.cuda import empty_cache as clear_cache\ndef empty_cache():\n    clear_cache()\n",
    ),
    "function imported as a module among modules": (
        "import os, torch.cuda.memory_allocated as used, sys\nused()\n",
        "import os, sys\nfrom torch.cuda import memory_allocated as used\nused()\n",
    ),
    "import of what the file defines itself": (
        "from torch.nn.utils.common_utils import count_parameters\ndef count_parameters(m):\n    return 1\n",
        "def count_parameters(m):\n    return 1\n",
    ),
    "argument dropped from the end of a call": (
        "from torch.optim import lr_scheduler\ns = lr_scheduler.StepLR(\n    opt,\n    3,\n"
        "    verbose=True,\n)\n",
        "from torch.optim import lr_scheduler\ns = lr_scheduler.StepLR(\n    opt,\n    3,\n)\n",
    ),
    "indexed loss, over its data and over numpy": (
        "import torch\nloss.backward()\na = loss.data[0] * n + loss.data.cpu().numpy()[0]\n",
        "import torch\nloss.backward()\na = loss.item() * n + loss.item()\n",
    ),
    "indexed loss that was made a number already": (
        "import torch\nloss.backward()\na = loss.data[0].item()\n",
        "import torch\nloss.backward()\na = loss.item()\n",
    ),
    "autocast without a device, on CUDA": (
        "import torch\nwith torch.autocast(dtype=torch.half):\n    x.cuda()\n",
        'import torch\nwith torch.autocast("cuda", dtype=torch.half):\n    x.cuda()\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), FIXED.values(), ids=FIXED.keys())
def test_what_torch_lacks_is_replaced(before: str, after: str) -> None:
    assert fixed(before, "MEM902") == after


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nlosses.data[0]\n",
        "import torch\nloss = torch.nn.functional.mse_loss(a, b, reduction='none')\nloss.data[0]\n",
        "import torch\nloss.data[0] = 1\n",
        "import torch\ntry:\n    x = loss.data[0]\nexcept IndexError:\n    x = loss.item()\n",
        "import torch\ntorch.cuda.clear_cache = torch.cuda.empty_cache\ntorch.cuda.clear_cache()\n",
        "import torch\nwith torch.no_grad():\n    x = torch.autograd.Variable(x, volatile=True)\n",
    ],
    ids=["several losses", "one loss per sample", "written to", "guarded", "patched in", "no graph anyway"],
)
def test_nothing_is_said_about_what_works(text: str) -> None:
    checks = engine.Checks(frozenset({"MEM902"}), frozenset(), "t.py")
    assert engine.check(text, "t.py", checks).findings == ()


def test_volatile_becomes_no_grad_over_the_rest_of_the_block() -> None:
    before = (
        "import torch\nfrom torch.autograd import Variable\nfor a, b in data:\n"
        "    a = Variable(a, volatile=True)\n"
        "    b = Variable(b, volatile=True)  # both\n    print(net(a, b))\n"
    )
    after = (
        "import torch\nfrom torch.autograd import Variable\nfor a, b in data:\n    with torch.no_grad():\n"
        "        a = Variable(a)\n        b = Variable(b)  # both\n        print(net(a, b))\n"
    )
    assert fixed(before, "MEM902") == before
    assert fixed(before, "MEM902", unsafe=True) == after


LOOP = "import torch\nfrom torch.cuda import amp\nfor x in data:\n    loss = net(x)\n"
SCALED = {
    "clipping is done on unscaled gradients": (
        LOOP + "    amp.scale_loss(loss, opt).backward()\n    clip_grad_norm_(ps, 1)\n    opt.step()  # go\n",
        'import torch\nscaler = torch.amp.GradScaler("cuda")\nfor x in data:\n'
        "    loss = net(x)\n    scaler.scale(loss).backward()\n    scaler.unscale_(opt)\n"
        "    clip_grad_norm_(ps, 1)\n"
        "    scaler.step(opt)  # go\n    scaler.update()\n",
    ),
    "a scaler that is there is used": (
        "import torch\ns = torch.amp.GradScaler('cuda')\nfor x in data:\n"
        "    with torch.cuda.amp.scale_loss(loss, opt) as l:\n        l.backward()\n"
        "    s.step(opt)\n    s.update()\n",
        "import torch\ns = torch.amp.GradScaler('cuda')\nfor x in data:\n"
        "    s.scale(loss).backward()\n    s.step(opt)\n    s.update()\n",
    ),
    "the name is taken": (
        "scaler = StandardScaler()\n" + LOOP + "    amp.scale_loss(loss, opt).backward()\n    opt.step()\n",
        "scaler = StandardScaler()\nimport torch\n"
        'grad_scaler = torch.amp.GradScaler("cuda")\nfor x in data:\n    loss = net(x)\n'
        "    grad_scaler.scale(loss).backward()\n    grad_scaler.step(opt)\n    grad_scaler.update()\n",
    ),
    "the with statement's comment stays": (
        LOOP + "    with amp.scale_loss(loss, opt) as s:  # scaled\n        s.backward()\n    opt.step()\n",
        'import torch\nscaler = torch.amp.GradScaler("cuda")\nfor x in data:\n'
        "    loss = net(x)\n    # scaled\n    scaler.scale(loss).backward()\n    scaler.step(opt)\n"
        "    scaler.update()\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), SCALED.values(), ids=SCALED.keys())
def test_scale_loss_becomes_a_grad_scaler(before: str, after: str) -> None:
    assert fixed(before, "MEM901") == after


@pytest.mark.parametrize(
    "rest",
    [
        "    amp.scale_loss(loss, [opt, other]).backward()\n    opt.step()\n",
        "    amp.scale_loss(loss, opt).backward()\n",
        "    amp.scale_loss(loss, opt).backward()\n    opt.step()\n    opt.step()\n",
        "    amp.scale_loss(loss, opt, loss_id=1).backward()\n    opt.step()\n",
        "    if a:\n        amp.scale_loss(loss, opt).backward()\n    opt.step()\n",
        "    with amp.scale_loss(loss, opt) as s:\n        s.backward()\n        log(s)\n    opt.step()\n",
    ],
    ids=["several optimizers", "no step", "two steps", "more arguments", "step outside", "more in the block"],
)
def test_scale_loss_is_only_reported_where_the_repair_is_not_certain(rest: str) -> None:
    assert fixed(LOOP + rest, "MEM901", unsafe=True) == LOOP + rest


def test_a_simple_apex_script_moves_to_torch() -> None:
    before = (
        "import torch\nfrom apex import amp\nnet, opt = amp.initialize(net, opt, opt_level='O1')\n"
        "for x in data:\n"
        "    out = net(x)\n    loss = out.mean()\n    opt.zero_grad()\n"
        "    with amp.scale_loss(loss, opt) as scaled:\n        scaled.backward()\n    opt.step()\n"
    )
    after = (
        'import torch\nscaler = torch.amp.GradScaler("cuda")\nfor x in data:\n'
        '    with torch.autocast("cuda"):\n'
        "        out = net(x)\n        loss = out.mean()\n    opt.zero_grad()\n"
        "    scaler.scale(loss).backward()\n    scaler.step(opt)\n    scaler.update()\n"
    )
    assert fixed(before, "MEM901") == before
    assert fixed(before, "MEM901", unsafe=True) == after
