import torch


class DataLoader:
    def __init__(self, x, num_workers=4):
        self.x = x

    def __iter__(self):
        return iter(self.x)


class Trainer:
    def __init__(self, gpus=None, precision=16):
        self.gpus = gpus

    def validation_epoch_end(self, outs):
        return sum(outs)


def cycle(it):
    while True:
        yield from it


def checkpoint(f, x):
    return f(x)


t = Trainer(gpus=2, precision=16)
for b in cycle(DataLoader([1, 2])):
    print(checkpoint(print, b))
    x = next(iter(DataLoader([1])))
    break
amp = type("amp", (), {"memory_cached": lambda: 0})
print(amp.memory_cached(), torch.zeros(1))
