# torch.cat joins the losses, which it would refuse without a dimension

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return torch.sum((x - y).view(-1), dim=0, keepdim=True)


net = Net()
kept = []
for _ in range(3):
    loss = net(torch.randn(4), torch.randn(4))
    print(loss.data[0])
    kept.append(loss)
print(torch.cat(kept).mean())
