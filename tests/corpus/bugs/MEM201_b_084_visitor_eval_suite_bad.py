import json
import pathlib

import torch


SUITES = {}


def suite(name):
    def deco(cls):
        SUITES[name] = cls()
        return cls
    return deco


@suite("exact")
class Exact:
    def score(self, logits, y):
        return (logits.argmax(-1) == y).all(-1).float()


@suite("nll")
class NLL:
    def score(self, logits, y):
        return torch.nn.functional.cross_entropy(logits.transpose(1, 2), y, reduction="none").mean(-1)


def run_suites(net, sets, device):
    net.eval()
    report = {}
    for split, loader in sets.items():
        rows = {k: [] for k in SUITES}
        for src, tgt in loader:
            logits = net(src.to(device), tgt[:, :-1].to(device))  #! MEM201
            for name, s in SUITES.items():
                rows[name].append(s.score(logits, tgt[:, 1:].to(device)))  #! MEM102
        report[split] = {k: torch.cat(v).mean().item() for k, v in rows.items()}
    net.train()
    return report


def train(net, train_loader, sets, out, device="cuda", epochs=100):
    net.to(device)
    opt = torch.optim.RAdam(net.parameters(), lr=3e-4)
    out = pathlib.Path(out)
    for ep in range(epochs):
        for src, tgt in train_loader:
            src, tgt = src.to(device), tgt.to(device)
            logits = net(src, tgt[:, :-1])
            loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=0)
            opt.zero_grad()
            loss.backward()
            opt.step()
        (out / f"{ep}.json").write_text(json.dumps(run_suites(net, sets, device)))
