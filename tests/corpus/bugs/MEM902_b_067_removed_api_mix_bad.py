import torch
import torch.cuda.memory_allocated as memory_allocated  #! MEM902
from torch import nn
from torch.optim import lr_scheduler


class Monitor:
    def __init__(self, every):
        self.every = every
        self.n = 0

    def __call__(self):
        self.n += 1
        if self.n % self.every == 0:
            print("allocated", memory_allocated() / 1e6)
            torch.cuda.clear_cache()  #! MEM902


def train(model, loader, val_fn, epochs=60):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = lr_scheduler.ReduceLROnPlateau(opt, mode="max", factor=0.5, patience=3, verbose=True)  #! MEM902
    monitor = Monitor(200)
    crit = nn.CrossEntropyLoss()
    for e in range(epochs):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            with torch.amp.autocast():  #! MEM902
                loss = crit(model(x.cuda()), y.cuda())
            loss.backward()
            opt.step()
            monitor()
        sched.step(val_fn(model))


def describe(model):
    n = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(f"{n / 1e6:.2f}M parameters")
    print(torch.cuda.get_device_name(0), torch.cuda.memory_summary(abbreviated=True))
