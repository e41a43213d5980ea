import torch
import torch.nn as nn
from torch.autograd import Variable


class CharRNN(nn.Module):
    def __init__(self, n_chars, hidden_size):
        super(CharRNN, self).__init__()
        self.hidden_size = hidden_size
        self.encoder = nn.Embedding(n_chars, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, 1)
        self.decoder = nn.Linear(hidden_size, n_chars)

    def forward(self, input, hidden):
        batch_size = input.size(0)
        encoded = self.encoder(input)
        output, hidden = self.gru(encoded.view(1, batch_size, -1), hidden)
        return self.decoder(output.view(batch_size, -1)), hidden

    def init_hidden(self, batch_size):
        return Variable(torch.zeros(1, batch_size, self.hidden_size))


def random_chunk(data, chunk_len, bs):
    start = torch.randint(0, data.size(1) - chunk_len - 1, (1,)).item()
    piece = data[:bs, start:start + chunk_len + 1]
    return Variable(piece[:, :-1]), Variable(piece[:, 1:])


data = torch.randint(0, 60, (16, 4000))
net = CharRNN(60, 64)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
chunk_len = 50

loss_avg = 0
for epoch in range(1, 200):
    inp, target = random_chunk(data, chunk_len, 16)
    net.zero_grad()
    loss = 0
    hidden = net.init_hidden(16)
    for c in range(chunk_len):
        output, hidden = net(inp[:, c], hidden)
        loss += criterion(output.view(16, -1), target[:, c])
    loss.backward()
    optimizer.step()
    loss_avg += loss.item() / chunk_len
