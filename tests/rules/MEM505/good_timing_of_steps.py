# a function that measures the time of a step has to wait

import time

import torch


def profile_steps(net, opt, batches):
    for x in batches:
        torch.cuda.synchronize()
        started = time.perf_counter()
        opt.zero_grad()
        net(x.cuda()).sum().backward()
        opt.step()
        torch.cuda.synchronize()
        print(time.perf_counter() - started)
