import os

import torch
import torch.distributed as dist
import torch.nn.parallel


def build_model():
    model = torch.nn.Embedding(1000, 64)
    return model.to("cuda")


def run():
    dist.init_process_group("nccl")
    local = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(local)
    model = build_model()
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[local])
    model(torch.arange(10).cuda()).sum().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    run()
