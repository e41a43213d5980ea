"""FSDP launched by torchrun: the device is set, but after the model went to the GPU."""
import functools
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy


def main():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    net = torch.nn.Transformer(d_model=512).to("cuda")  #! MEM602
    torch.cuda.set_device(local_rank)
    policy = functools.partial(size_based_auto_wrap_policy, min_num_params=1_000_000)
    net = FSDP(net, auto_wrap_policy=policy, device_id=torch.cuda.current_device())
    opt = torch.optim.AdamW(net.parameters(), 1e-4)
    for step in range(1000):
        s, t = torch.rand(10, 8, 512, device="cuda"), torch.rand(20, 8, 512, device="cuda")
        loss = net(s, t).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if rank == 0 and step % 50 == 0:
            print(step, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
