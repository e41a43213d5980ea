import torch
from torch.profiler import ProfilerActivity, profile


def train(net, loader, opt, crit, epochs):
    plan = torch.profiler.schedule(wait=1, warmup=1, active=3, repeat=1)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], schedule=plan) as prof:
        for epoch in range(epochs):
            for x, y in loader:
                opt.zero_grad()
                loss = crit(net(x.cuda()), y.cuda())
                loss.backward()
                opt.step()
                prof.step()
