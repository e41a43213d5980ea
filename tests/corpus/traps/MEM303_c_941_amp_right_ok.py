"""The AMP recipes as documented: clip after unscale_, accumulation, bf16, two models, flags, inference."""
import contextlib
import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast


class T:
    def __init__(self, model, cfg):
        self.model, self.cfg = model.cuda(), cfg
        self.opt = torch.optim.AdamW(self.model.parameters())
        self.scaler = GradScaler("cuda", enabled=cfg.amp == "fp16")
        dt = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(cfg.amp)
        self.ctx = torch.autocast("cuda", dtype=dt) if dt else contextlib.nullcontext()

    def train(self, loader):
        for i, (x, y) in enumerate(loader):
            with self.ctx:
                loss = nn.functional.cross_entropy(self.model(x), y) / self.cfg.accum
            self.scaler.scale(loss).backward()
            if (i + 1) % self.cfg.accum == 0:
                if self.cfg.clip:
                    self.scaler.unscale_(self.opt)
                    nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
                self.scaler.step(self.opt)
                self.scaler.update()
                self.opt.zero_grad(set_to_none=True)

    @torch.no_grad()
    def evaluate(self, loader):
        with autocast("cuda"):
            return sum((self.model(x).argmax(1) == y).sum().item() for x, y in loader)


def bf16(net, loader, opt):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()


def optional(net, loader, opt, use_amp):
    scaler = GradScaler("cuda") if use_amp else None
    for x, y in loader:
        with torch.autocast("cuda", enabled=use_amp):
            loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        else:
            loss.backward()
            opt.step()


def gan(G, D, oG, oD, loader):
    scaler = GradScaler("cuda")
    for real in loader:
        with autocast("cuda"):
            fake = G(torch.randn(len(real), 8, device="cuda"))
            ld = D(fake.detach()).mean() - D(real.cuda()).mean()
        oD.zero_grad()
        scaler.scale(ld).backward()
        scaler.step(oD)
        with autocast("cuda"):
            lg = -D(fake).mean()
        oG.zero_grad()
        scaler.scale(lg).backward()
        scaler.step(oG)
        scaler.update()


def one_body(net, loader, opt):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16, cache_enabled=False):
            for xb, yb in zip(x.split(8), y.split(8)):
                loss = nn.functional.cross_entropy(net(xb), yb)
                loss.backward()
                opt.step()
                opt.zero_grad()
