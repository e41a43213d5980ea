import os

import torch
import torch.distributed as dist


def setup():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.cuda.memory._record_memory_history()  #! MEM125


def main(model, loader):
    setup()
    model = torch.nn.parallel.DistributedDataParallel(model.cuda(), [torch.cuda.current_device()])
    opt = torch.optim.AdamW(model.parameters())
    for step, batch in enumerate(loader):
        loss = model(batch.cuda()).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
