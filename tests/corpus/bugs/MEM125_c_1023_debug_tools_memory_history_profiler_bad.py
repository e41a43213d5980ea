import torch
import torch.nn as nn
from torch.profiler import ProfilerActivity, profile, record_function

torch.autograd.set_detect_anomaly(True)  #! MEM125
model = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, batch_first=True), 6).cuda()
opt = torch.optim.AdamW(model.parameters(), 1e-4)


def train(loader, epochs):
    torch.cuda.memory._record_memory_history()  #! MEM125
    for epoch in range(epochs):
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as prof:  #! MEM125
            for src, tgt in loader:
                with record_function("step"):
                    opt.zero_grad()
                    loss = (model(src.cuda()) - tgt.cuda()).square().mean()
                    loss.backward()
                    opt.step()
        print(prof.key_averages().table(sort_by="cuda_time_total", row_limit=10))
