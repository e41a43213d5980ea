"""Train a small language model on one GPU, and validate it after every epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

VOCABULARY, WIDTH, TOKENS, BATCH = 32_000, 512, 256, 32


class LanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, nhead=8, dim_feedforward=4 * WIDTH, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, num_layers=6)
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens):
        return self.head(self.layers(self.embed(tokens)))


def loss_of(model, tokens):
    logits = model(tokens[:, :-1])
    return nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def train(model, optimizer, loader):
    model.train()
    for (tokens,) in loader:
        loss = loss_of(model, tokens.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(model, loader):
    model.eval()
    losses = []
    for (tokens,) in loader:
        losses.append(loss_of(model, tokens.cuda()))
    return torch.stack(losses).mean().item()


def main():
    data = TensorDataset(torch.randint(VOCABULARY, (1024, TOKENS)))
    train_loader = DataLoader(data, batch_size=BATCH, shuffle=True)
    valid_loader = DataLoader(data, batch_size=BATCH)
    model = LanguageModel().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(10):
        train(model, optimizer, train_loader)
        print(f"epoch {epoch}: loss {validate(model, valid_loader):.3f}")


if __name__ == "__main__":
    main()
