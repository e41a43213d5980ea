# a helper of the data set and a transform object, number of workers from the command line

import argparse

import torch
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("-j", "--workers", default=8, type=int)
args = parser.parse_args()


class Jitter:
    def __call__(self, x):
        return x + torch.randn(x.shape, device="cuda:0") * 0.1  #! MEM407 error


class Signals(Dataset):
    def __init__(self, x, transform):
        self.x, self.transform = x, transform

    def __len__(self):
        return len(self.x)

    def load(self, i):
        return torch.as_tensor(self.x[i], device="cuda")  #! MEM407 error

    def __getitem__(self, i):
        return self.transform(self.load(i))


def loop(model, opt, batches):
    for x in batches:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


model = torch.nn.Linear(16, 1).cuda()
loop(
    model,
    torch.optim.SGD(model.parameters(), lr=0.1),
    DataLoader(Signals(torch.randn(80, 16).numpy(), Jitter()), batch_size=8, num_workers=args.workers),
)
