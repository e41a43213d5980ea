# function called from main: GRU language model, the graph retained against the error

import torch
from torch import nn


class CharModel(nn.Module):
    def __init__(self, vocab, width=48):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.decode = nn.Linear(width, vocab)

    def forward(self, tokens, state):
        out, state = self.gru(self.embed(tokens), state)
        return self.decode(out), state


def gradient_norms(net, batches):
    criterion = nn.CrossEntropyLoss()
    state = torch.zeros(1, 8, 48)
    norms = []
    for tokens, following in batches:
        net.zero_grad()
        logits, state = net(tokens, state)  #! MEM106 error
        loss = criterion(logits.transpose(1, 2), following)
        loss.backward(retain_graph=True)
        norms.append(sum(p.grad.norm().item() for p in net.parameters()))
    return norms


def main():
    text = torch.randint(0, 30, (8, 200))
    batches = [(text[:, i : i + 10], text[:, i + 1 : i + 11]) for i in range(0, 180, 10)]
    print(gradient_norms(CharModel(30), batches))


if __name__ == "__main__":
    main()
