# RuntimeError with a test of its text, method of a trainer class

import torch


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optim = torch.optim.Adam(net.parameters())

    def train_batch(self, x):
        self.optim.zero_grad()
        self.net(x).sum().backward()
        self.optim.step()

    def fit(self, batches):
        for x in batches:
            oom = False
            try:
                self.train_batch(x)
            except RuntimeError as e:
                if "out of memory" not in str(e):
                    raise
                print("| WARNING: ran out of memory, retrying batch")
                for p in self.net.parameters():
                    p.grad = None
                torch.cuda.empty_cache()
                oom = True
            if oom:
                self.train_batch(x)


Trainer(torch.nn.Linear(8, 8)).fit(torch.randn(4, 2, 8))
