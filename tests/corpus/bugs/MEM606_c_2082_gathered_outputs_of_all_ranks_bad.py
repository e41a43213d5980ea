# Retrieval test set: embeddings of all ranks are gathered batch by batch on each GPU.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def all_gather(t):
    parts = [torch.empty_like(t) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, t.contiguous())
    return torch.cat(parts)


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    text, image = [], []
    for x, y in loader:
        a, b = model(x.to(device)), model(y.to(device))
        text.append(all_gather(a))  #! MEM606
        image.append(all_gather(b))  #! MEM606
    sim = torch.cat(text) @ torch.cat(image).t()
    return (sim.argmax(1).cpu() == torch.arange(len(sim))).float().mean()


def main():
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    device = torch.device("cuda", local)
    model = DDP(nn.Linear(512, 256).to(device), device_ids=[local])
    loader = [(torch.randn(128, 512), torch.randn(128, 512)) for _ in range(500)]
    print(evaluate(model, loader, device))


main()
