# collate function for a batch that the loop moves again, called from main

import torch
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def collate(samples):
    tokens = torch.nn.utils.rnn.pad_sequence([s[0] for s in samples], batch_first=True)
    labels = torch.tensor([s[1] for s in samples])
    return tokens, labels


def train(model, optimizer, samples):
    loader = DataLoader(samples, batch_size=8, shuffle=True, num_workers=2, collate_fn=collate)
    for tokens, labels in loader:
        tokens, labels = tokens.to(device), labels.to(device)
        loss = model(tokens, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    from mymodel import build

    model = build().to(device)
    samples = [(torch.arange(n % 7 + 1), n % 2) for n in range(200)]
    train(model, torch.optim.Adam(model.parameters()), samples)


if __name__ == "__main__":
    main()
