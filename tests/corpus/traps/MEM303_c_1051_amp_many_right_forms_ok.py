import torch
import torch.nn as nn


def build():
    return nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 1)).cuda()


def two_optimizers(loader):
    a, b = build(), build()
    oa, ob = torch.optim.Adam(a.parameters()), torch.optim.Adam(b.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda"):
            la = (a(x) - y).square().mean()
            lb = (b(x) - y).abs().mean()
        oa.zero_grad()
        ob.zero_grad()
        scaler.scale(la).backward()
        scaler.scale(lb).backward()
        scaler.unscale_(oa)
        nn.utils.clip_grad_norm_(a.parameters(), 1.0)
        scaler.step(oa)
        scaler.step(ob)
        scaler.update()


def accumulation(loader, k=4):
    m = build()
    o = torch.optim.SGD(m.parameters(), 0.1)
    scaler = torch.amp.GradScaler()
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = (m(x) - y).square().mean() / k
        scaler.scale(loss).backward()
        if (i + 1) % k == 0 or i + 1 == len(loader):
            scaler.unscale_(o)
            nn.utils.clip_grad_norm_(m.parameters(), 1.0)
            scaler.step(o)
            scaler.update()
            o.zero_grad(set_to_none=True)


def bf16_no_scaler(loader):
    m = build()
    o = torch.optim.AdamW(m.parameters())
    for x, y in loader:
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            loss = (m(x) - y).square().mean()
        o.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        o.step()


class Native:
    """timm style"""

    def __init__(self):
        self._scaler = torch.amp.GradScaler("cuda")

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, create_graph=False):
        self._scaler.scale(loss).backward(create_graph=create_graph)
        if clip_grad is not None:
            assert parameters is not None
            self._scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)
        self._scaler.update()


def with_native(loader, use_amp):
    m = build()
    o = torch.optim.SGD(m.parameters(), 0.1)
    native = Native() if use_amp else None
    for x, y in loader:
        with torch.autocast("cuda", enabled=use_amp):
            loss = (m(x) - y).square().mean()
        o.zero_grad()
        if native is not None:
            native(loss, o, clip_grad=1.0, parameters=m.parameters())
        else:
            loss.backward()
            o.step()
