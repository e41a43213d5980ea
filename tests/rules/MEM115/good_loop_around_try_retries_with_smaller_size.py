# a loop around the try retries with a smaller size

import torch

net = torch.nn.Linear(8, 8)
size = 64
while size:
    try:
        net(torch.randn(size, 8)).sum().backward()
        break
    except torch.cuda.OutOfMemoryError:
        torch.cuda.empty_cache()
        size //= 2
print(size)
