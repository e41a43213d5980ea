import copy
import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from .config import DEVICE
from .utils.memory import free


class Solver:
    def __init__(self, model, train, val, args):
        self.model, self.train, self.val, self.args = model, train, val, args
        self.opt = torch.optim.AdamW(model.parameters())
        self.scaler = GradScaler()  #! MEM903
        self.best = 0.0
        self.best_weights = None

    def load(self, path):
        ckpt = torch.load(path)  #! MEM701
        self.model.load_state_dict(ckpt["model"])
        self.opt.load_state_dict(ckpt["opt"])

    def run(self):
        for epoch in range(self.args.epochs):
            self.model.train()
            for x, y in self.train:
                x, y = x.to(DEVICE, non_blocking=True), y.to(DEVICE, non_blocking=True)
                self.opt.zero_grad()
                with autocast():  #! MEM903
                    loss = F.cross_entropy(self.model(x), y)
                self.scaler.scale(loss).backward()
                self.scaler.step(self.opt)
                self.scaler.update()
                free()  #! MEM501
            acc = self.evaluate()
            if acc > self.best:
                self.best = acc
                self.best_weights = self.model.state_dict()  #! MEM704
        self.model.load_state_dict(self.best_weights)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        hit = n = 0
        for x, y in self.val:
            hit += (self.model(x.to(DEVICE)).argmax(1).cpu() == y).sum().item()
            n += len(y)
        return hit / n
