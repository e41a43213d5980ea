import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden=512, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.lstm = nn.LSTM(hidden, hidden, layers, batch_first=True)
        self.fc = nn.Linear(hidden, vocab)

    def forward(self, x, hidden=None):
        out, hidden = self.lstm(self.embed(x), hidden)
        return self.fc(out), hidden

    def init_hidden(self, n, device):
        import torch

        shape = (self.lstm.num_layers, n, self.lstm.hidden_size)
        return torch.zeros(shape, device=device), torch.zeros(shape, device=device)
