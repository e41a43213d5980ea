"""Word language model; the repackaging was lost in a refactoring."""
import torch
import torch.nn as nn


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.GRU(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nlayers, self.nhid = nlayers, nhid

    def forward(self, inp, hidden):
        emb = self.encoder(inp)
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(output), hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(self.nlayers, bsz, self.nhid)


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def train(model, data, optimizer, criterion, bptt=20):
    model.train()
    hidden = model.init_hidden(data.size(1))
    for i in range(0, data.size(0) - 1, bptt):
        x, y = get_batch(data, i, bptt)
        optimizer.zero_grad()
        output, hidden = model(x, hidden)  #! MEM106
        loss = criterion(output.view(-1, output.size(-1)), y)
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()


if __name__ == "__main__":
    m = RNNModel(100, 16, 16, 1)
    train(m, torch.randint(0, 100, (400, 8)), torch.optim.SGD(m.parameters(), lr=1), nn.CrossEntropyLoss())
