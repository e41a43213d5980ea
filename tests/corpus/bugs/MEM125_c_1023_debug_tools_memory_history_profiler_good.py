import torch
import torch.nn as nn
from torch.profiler import ProfilerActivity, profile, record_function

model = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, batch_first=True), 6).cuda()
opt = torch.optim.AdamW(model.parameters(), 1e-4)


def train(loader, epochs):
    for epoch in range(epochs):
        sched = torch.profiler.schedule(wait=1, warmup=1, active=3, repeat=1)
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], schedule=sched) as prof:
            for src, tgt in loader:
                with record_function("step"):
                    opt.zero_grad()
                    loss = (model(src.cuda()) - tgt.cuda()).square().mean()
                    loss.backward()
                    opt.step()
                prof.step()
        print(prof.key_averages().table(sort_by="cuda_time_total", row_limit=10))
