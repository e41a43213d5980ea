# a user who asks for it by an option

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--empty-cache", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(100, 2, 4):
    optimizer.zero_grad()
    model(batch.cuda()).sum().backward()
    optimizer.step()
    if args.empty_cache:
        torch.cuda.empty_cache()
