# Fine-tuning that halves the batch when the memory runs out.
import gc

import torch
from torch import nn

net = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True), 6).cuda()
opt = torch.optim.AdamW(net.parameters(), 1e-4)


def step(batch):
    opt.zero_grad(set_to_none=True)
    loss = (net(batch) - batch).abs().mean()
    loss.backward()
    opt.step()
    return loss.item()


def careful_step(batch):
    try:
        return step(batch)
    except torch.cuda.OutOfMemoryError:
        print("halving a batch of", len(batch))
        gc.collect()
        torch.cuda.empty_cache()
        halves = batch.chunk(2)
        return sum(careful_step(half) for half in halves) / 2  #! MEM115


for i in range(1000):
    print(i, careful_step(torch.randn(64, 512, 256, device="cuda")))
