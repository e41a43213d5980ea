# lambda that appends the features of a validation run

import torch

net = torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.ReLU(), torch.nn.Linear(64, 2))
feats = []
net[1].register_forward_hook(lambda m, i, o: feats.append(o))  #! MEM110 error
net.eval()
for x in torch.utils.data.DataLoader(torch.randn(320, 8), batch_size=32):
    print(net(x).mean().item())
print(len(feats))
