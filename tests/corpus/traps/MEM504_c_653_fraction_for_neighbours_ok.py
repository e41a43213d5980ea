import os
import torch

WORKERS = int(os.environ.get("WORKERS_PER_GPU", "4"))


def claim_share():
    """Several workers live on one GPU: none may take it all, so that no other runs out of memory."""
    torch.cuda.set_per_process_memory_fraction(1.0 / WORKERS)


claim_share()
net = torch.nn.Linear(5, 5).cuda()
print(net(torch.ones(1, 5).cuda()))
