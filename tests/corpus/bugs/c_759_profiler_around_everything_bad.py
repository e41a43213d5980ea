import torch
from torch.profiler import ProfilerActivity, profile


def train(net, loader, opt, crit, epochs):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as prof:  #! MEM125
        for epoch in range(epochs):
            for x, y in loader:
                opt.zero_grad()
                loss = crit(net(x.cuda()), y.cuda())
                loss.backward()
                opt.step()
    prof.export_chrome_trace("trace.json")
