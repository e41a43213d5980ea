# Character model whose module keeps its state from batch to batch; retain_graph silences the error.
import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, vocab=60, hidden=100):
        super(CharRNN, self).__init__()
        self.encoder = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden)
        self.decoder = nn.Linear(hidden, vocab)
        self.hidden = None

    def init_hidden(self, batch):
        self.hidden = torch.zeros(1, batch, self.gru.hidden_size)

    def forward(self, tokens):
        out, self.hidden = self.gru(self.encoder(tokens), self.hidden)  #! MEM106
        return self.decoder(out)


def train(model, text, epochs=2, chunk=25, lr=0.002):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.init_hidden(text.size(1))
        loss_avg = 0
        grads = torch.zeros(1)
        for start in range(0, text.size(0) - chunk - 1, chunk):
            inp, target = text[start:start + chunk], text[start + 1:start + chunk + 1]
            model.zero_grad()
            logits = model(inp)
            loss = criterion(logits.flatten(0, 1), target.flatten())
            loss.backward(retain_graph=True)
            grads += sum(p.grad.norm() for p in model.parameters())
            loss_avg += loss.item()
        print(epoch, loss_avg, grads.item())


train(CharRNN(), torch.randint(60, (2000, 4)))
