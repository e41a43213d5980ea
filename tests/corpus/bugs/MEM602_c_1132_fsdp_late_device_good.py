import functools
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy


def main():
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", 0)))
    dist.init_process_group("nccl")
    policy = functools.partial(size_based_auto_wrap_policy, min_num_params=1_000_000)
    net = FSDP(torch.nn.Transformer(d_model=512), auto_wrap_policy=policy, device_id=torch.cuda.current_device())
    opt = torch.optim.AdamW(net.parameters(), 1e-4)
    for step in range(1000):
        s, t = torch.rand(10, 8, 512, device="cuda"), torch.rand(20, 8, 512, device="cuda")
        loss = net(s, t).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
