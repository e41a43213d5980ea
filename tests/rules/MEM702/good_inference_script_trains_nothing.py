# an inference script trains nothing

import torch

net = torch.nn.Linear(4, 4)
ckpt = torch.load("x.pt")
net.load_state_dict(ckpt["net"])
net.eval()
with torch.no_grad():
    for x in torch.randn(5, 2, 4):
        print(net(x).sum().item())
print(ckpt["epoch"], torch.Tensor.backward)
