# the copy from the GPU holds the slice only

import torch

features = torch.randn(4096, 768).cuda()
torch.save(features[:100].cpu(), "features.pt")
for i in range(4):
    torch.save(features[i].detach().cpu(), f"{i}.pt")
