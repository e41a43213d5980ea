import torch
import torch.nn as nn
import torch.optim as optim

# Question: training slows down at every iteration and memory grows. Why?
text = open("shakespeare.txt").read()
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
data = torch.tensor([stoi[c] for c in text])


class CharRNN(nn.Module):
    def __init__(self, n, hidden=256):
        super().__init__()
        self.embed = nn.Embedding(n, 64)
        self.rnn = nn.LSTM(64, hidden, 2, batch_first=True)
        self.out = nn.Linear(hidden, n)

    def forward(self, x, state):
        y, state = self.rnn(self.embed(x), state)
        return self.out(y), state

    def init_state(self, batch):
        z = torch.zeros(2, batch, 256)
        return z, z.clone()


model = CharRNN(len(vocab))
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=2e-3)
state = model.init_state(1)
for i in range(0, len(data) - 65, 64):
    x = data[i:i + 64][None]
    y = data[i + 1:i + 65][None]
    optimizer.zero_grad()
    state = tuple(s.detach() for s in state)
    logits, state = model(x, state)
    loss = criterion(logits.reshape(-1, len(vocab)), y.reshape(-1))
    loss.backward()
    optimizer.step()
    if i % 6400 == 0:
        print(i, loss.item())
