import torch
from torch import nn, optim


class Captioner(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.decoder = nn.GRU(16, 32, batch_first=True)
        self.to_vocab = nn.Linear(32, vocab)

    def forward(self, image):
        hidden, _ = self.decoder(self.encoder(image).unsqueeze(1))
        return self.to_vocab(hidden).squeeze(1)


class Runner:
    def __init__(self):
        self.model = Captioner(50)
        params = [
            {"params": self.model.encoder.parameters(), "lr": 1e-5},
            {"params": self.model.decoder.parameters(), "lr": 1e-3},
            {"params": self.model.to_vocab.parameters()},
        ]
        self.optimizer = optim.AdamW(params, lr=1e-4)

    def run(self, batches):
        for image, word in batches:
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(image), word)
            loss.backward()
            self.optimizer.step()


Runner().run([(torch.randn(2, 3, 32, 32), torch.tensor([1, 2]))] * 5)
