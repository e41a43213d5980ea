import os

import torch
import torch.nn.functional as F
from torch.profiler import profile, record_function

DEBUG = os.getenv("DEBUG", "0") == "1"
torch.autograd.set_detect_anomaly(DEBUG)
torch.autograd.set_detect_anomaly(mode=os.environ.get("NAN") == "1")
torch.cuda.set_sync_debug_mode(0)


def detect_anomaly(values):
    return [v for v in values if abs(v) > 3]


def train(net, loader, opt, cfg):
    prof = profile(with_stack=True) if cfg.profile else None
    for i, (x, y) in enumerate(loader):
        with record_function("forward"):
            loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        with torch.autograd.set_detect_anomaly(cfg.debug and i < 3):
            loss.backward()
        opt.step()
    return prof, detect_anomaly([1.0])


def profile_step(net, batch, opt):
    with profile() as prof:
        for _ in range(20):
            opt.zero_grad()
            net(batch).sum().backward()
            opt.step()
    return prof.key_averages()
