import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule


def train(model, loader, env, epochs):
    opt = torch.optim.SGD(model.parameters(), 0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=2)) as prof:
        for epoch in range(epochs):
            for x, y in loader:
                opt.zero_grad()
                loss = nn.functional.mse_loss(model(x), y)
                loss.backward()
                opt.step()
                prof.step()
            sched.step()
    obs = env.reset()
    with torch.no_grad():
        for _ in range(1000):
            obs, reward, done, info = env.step(model(obs).argmax().item())
            if done:
                obs = env.reset()
