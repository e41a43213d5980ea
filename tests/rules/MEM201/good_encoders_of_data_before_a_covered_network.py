# What only its name makes an encoder prepares the data: who wrote this covers the network beside it.

import torch


class Autoencoder:
    def test(self, loader):
        self.model.eval()
        total = 0.0
        for values, wanted in loader:
            if self.input_encoder is not None:
                values = self.input_encoder(values)
            with torch.no_grad():
                found = self.model(values.to(self.device))
            total += self.criterion(found, self.output_encoder(wanted).to(self.device)).item()
        return total


def validate(network, text_embedder, loader):
    network.eval()
    right = 0
    for texts, labels in loader:
        vectors = text_embedder(texts)
        with torch.inference_mode():
            right += (network(vectors.cuda()).argmax(1).cpu() == labels).sum().item()
    return right


class Trainer:
    def fit(self, train_loader, test_loader):
        for values, wanted in train_loader:
            loss = self.criterion(self.model(self.input_encoder(values)), wanted)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        for values, wanted in test_loader:
            values, wanted = self.input_encoder(values), self.output_encoder(wanted)
            with torch.no_grad():
                print(self.criterion(self.model(values), wanted).item(), wanted.tolist())
