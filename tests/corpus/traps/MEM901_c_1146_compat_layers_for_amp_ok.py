"""Projects that support many versions."""
import contextlib

import torch

try:
    from torch.amp import GradScaler, autocast
except ImportError:
    from torch.cuda.amp import GradScaler, autocast

if torch.__version__ >= "2.4":
    make_scaler = lambda: torch.amp.GradScaler("cuda")
else:
    make_scaler = lambda: torch.cuda.amp.GradScaler()


def context(enabled):
    if not enabled:
        return contextlib.nullcontext()
    if hasattr(torch, "autocast"):
        return torch.autocast("cuda")
    return torch.cuda.amp.autocast()


class amp:
    @staticmethod
    @contextlib.contextmanager
    def scale_loss(loss, optimizer):
        yield loss * 2.0


def step(net, x, opt):
    with context(True):
        loss = net(x).mean()
    opt.zero_grad()
    with amp.scale_loss(loss, opt) as s:
        s.backward()
    opt.step()
