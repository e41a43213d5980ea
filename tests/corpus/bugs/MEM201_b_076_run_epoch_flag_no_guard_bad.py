import torch
import torch.nn.functional as F


class Experiment:
    def __init__(self, model, lr=1e-3, device="cuda"):
        self.device = device
        self.model = model.to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.history = {"train": [], "val": []}

    def _run(self, loader, is_train):
        self.model.train(is_train)
        tot = n = 0
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            out = self.model(x)  #! MEM201
            loss = F.mse_loss(out, y)
            if is_train:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            tot += loss * len(x)  #! MEM101
            n += len(x)
        return tot / n

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            tr = self._run(train_loader, True)
            va = self._run(val_loader, False)  #= MEM201
            self.history["train"].append(float(tr))
            self.history["val"].append(float(va))
            print(f"{epoch:03d} {float(tr):.4f} {float(va):.4f}")
        return self.history


def make(d):
    return torch.nn.Sequential(torch.nn.Linear(d, 64), torch.nn.Mish(), torch.nn.Linear(64, 1))


if __name__ == "__main__":
    from torch.utils.data import DataLoader, TensorDataset

    x = torch.randn(5000, 12)
    ds = TensorDataset(x, x.mean(1, keepdim=True))
    Experiment(make(12)).fit(DataLoader(ds, 128, shuffle=True), DataLoader(ds, 512), 30)
