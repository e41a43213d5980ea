# half of what a chunk gives

import torch


@torch.inference_mode()
def means(encoder, loader):
    kept = {}
    for step, x in enumerate(loader):
        mu, logvar = encoder(x).chunk(2, dim=1)
        kept[step] = mu  #! MEM104 warning
    return kept


print(len(means(torch.nn.Linear(6, 16), [torch.randn(3, 6) for _ in range(5)])))
