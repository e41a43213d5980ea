import torch
import torch.nn as nn


class StatefulForecaster(nn.Module):
    def __init__(self, n_feat=7, hid=128):
        super().__init__()
        self.gru = nn.GRU(n_feat, hid, num_layers=2, batch_first=True)
        self.fc = nn.Linear(hid, 1)

    def forward(self, x, state=None):
        out, state = self.gru(x, state)
        return self.fc(out[:, -1]), state


class Experiment:
    def __init__(self, cfg, series):
        self.cfg, self.series = cfg, series
        self.model = StatefulForecaster().to(cfg["device"])
        self.opt = torch.optim.Adam(self.model.parameters(), cfg["lr"])
        self.loss_fn = nn.HuberLoss()
        self.state = None

    def windows(self):
        w = self.cfg["window"]
        for s in range(0, len(self.series) - w - 1, w):
            yield self.series[None, s:s + w], self.series[None, s + w, :1]

    def train_epoch(self):
        self.state = None
        for x, y in self.windows():
            self.opt.zero_grad()
            pred, self.state = self.model(x, self.state)
            self.state = self.state.detach()
            loss = self.loss_fn(pred, y)
            loss.backward()
            self.opt.step()

    def test(self):
        self.model.eval()
        errs = []
        h = None
        with torch.no_grad():
            for x, y in self.windows():
                pred, h = self.model(x, h)
                errs.append((pred - y).abs().mean().item())
        return sum(errs) / len(errs)


exp = Experiment({"device": "cpu", "lr": 1e-3, "window": 32}, torch.randn(2000, 7))
for _ in range(5):
    exp.train_epoch()
    print(exp.test())
