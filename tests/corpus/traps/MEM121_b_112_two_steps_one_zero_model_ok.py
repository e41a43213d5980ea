import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.dec(self.enc(x))


def train(dl):
    net = Net()
    oe = torch.optim.Adam(net.enc.parameters())
    od = torch.optim.SGD(net.dec.parameters(), 0.1)
    for x, y in dl:
        net.zero_grad(set_to_none=True)
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        oe.step()
        od.step()
        print(loss.item())
