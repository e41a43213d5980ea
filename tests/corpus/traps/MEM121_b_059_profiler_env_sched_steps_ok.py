import torch
from torch.profiler import ProfilerActivity, profile, schedule


def bench(model, dl):
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=3)) as prof:
        for x, y in dl:
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            for p in model.parameters():
                p.grad = None
            prof.step()


def grad_check(model, dl, env, sched):
    for x in dl:
        model.zero_grad()
        model(x).sum().backward()
        env.step(0)
        sched.step()
