import numpy as np
import torch


class TabModel:
    def __init__(self, network, optimizer_fn=torch.optim.Adam, lr=2e-2, device="cpu"):
        self.network = network.to(device)
        self._optimizer = optimizer_fn(network.parameters(), lr=lr)
        self.device = device

    def _train_batch(self, X, y):
        for param in self.network.parameters():
            param.grad = None
        loss = torch.nn.functional.cross_entropy(self.network(X.to(self.device)), y.to(self.device))
        loss.backward()
        self._optimizer.step()
        return loss.item()

    def _predict_batch(self, X):
        return self.network(X.to(self.device).float())  #= MEM201

    def _predict_epoch(self, loader):
        self.network.eval()
        scores, labels = [], []
        for X, y in loader:
            out = self._predict_batch(X)  #! MEM201
            scores.append(out.cpu().detach().numpy())
            labels.append(y)
        self.network.train()
        return np.vstack(scores), np.hstack(labels)

    def fit(self, train_loader, valid_loader, epochs):
        for ep in range(epochs):
            losses = [self._train_batch(X, y) for X, y in train_loader]
            s, l = self._predict_epoch(valid_loader)
            print(ep, np.mean(losses), (s.argmax(1) == l).mean())
