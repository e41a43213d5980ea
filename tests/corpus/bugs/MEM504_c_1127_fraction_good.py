import os

import torch

FRACTION = 1.0


def limit(device=0):
    torch.cuda.set_per_process_memory_fraction(FRACTION, device)


def tenants(n):
    # several jobs share this GPU: each may take its part
    torch.cuda.set_per_process_memory_fraction(1 / n)
    torch.cuda.set_per_process_memory_fraction(float(os.environ.get("GPU_SHARE", "0.5")), 0)


if __name__ == "__main__":
    limit()
    tenants(4)
    torch.nn.Linear(3, 3).cuda()(torch.rand(3, 3).cuda()).sum().backward()
