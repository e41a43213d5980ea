# every thousandth step, by a constant, a default and an early continue

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--clean-every", type=int, default=2000)
args = parser.parse_args()
INTERVAL = 1000
model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, batch in enumerate(torch.randn(100000, 2, 4)):
    optimizer.zero_grad()
    model(batch.cuda()).sum().backward()
    optimizer.step()
    if step % INTERVAL == 0:
        torch.cuda.empty_cache()
    if step % args.clean_every == 0:
        torch.cuda.empty_cache()
    if step % 500 != 0:
        continue
    torch.cuda.empty_cache()
