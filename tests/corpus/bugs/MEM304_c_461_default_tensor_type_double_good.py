import torch
from torch import nn

torch.set_default_dtype(torch.float32)


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.lstm = nn.LSTM(1, 51)
        self.out = nn.Linear(51, 1)

    def forward(self, x):
        return self.out(self.lstm(x)[0])


def main():
    net = Net().to("cuda:0")
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for wave in [torch.sin(torch.linspace(0, 6, 100)).view(-1, 1, 1).to("cuda:0")] * 10:
        loss = (net(wave[:-1]) - wave[1:]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
