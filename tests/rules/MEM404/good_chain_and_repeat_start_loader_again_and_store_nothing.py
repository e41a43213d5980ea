# chain and repeat start the loader again and store nothing

import itertools

import torch

loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 2)), batch_size=8)
stream = itertools.chain.from_iterable(itertools.repeat(loader))
for step, (x,) in zip(range(100), stream):
    print(step, x.sum().item())
