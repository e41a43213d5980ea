# the state is made again for every batch

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(5, 7, batch_first=True)

    def init_hidden(self, n):
        weight = next(self.parameters())
        return weight.new_zeros(1, n, 7), weight.new_zeros(1, n, 7)

    def forward(self, x, hidden):
        return self.rnn(x, hidden)


net = Net()
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    for x in torch.randn(4, 3, 6, 5):
        hidden = net.init_hidden(x.size(0))
        out, hidden = net(x, hidden)
        loss = out.pow(2).mean() + hidden[0].mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
