import torch
from torch import nn


def train(model, loaders, opt, epochs, aux_weight=0.3):
    scores = {}
    for epoch in range(epochs):
        for domain, loader in loaders.items():
            for x, y in loader:
                main, aux = model(x, domain)
                l_main = nn.functional.cross_entropy(main, y)
                l_aux = nn.functional.cross_entropy(aux, y)
                opt.zero_grad()
                (l_main + aux_weight * l_aux).backward()
                opt.step()
                scores.setdefault(domain, []).append({"main": l_main, "aux": l_aux})  #! MEM102
        for d, rows in scores.items():
            print(epoch, d, sum(float(r["main"]) for r in rows) / len(rows))
    return scores


class DomainNet(nn.Module):
    def __init__(self, domains, d, c):
        super().__init__()
        self.shared = nn.Linear(d, 128)
        self.bn = nn.ModuleDict({k: nn.BatchNorm1d(128) for k in domains})
        self.main, self.aux = nn.Linear(128, c), nn.Linear(128, c)

    def forward(self, x, domain):
        h = torch.relu(self.bn[domain](self.shared(x)))
        return self.main(h), self.aux(h)


def main(make_loader):
    domains = ["photo", "art", "cartoon", "sketch"]
    loaders = {k: make_loader(k) for k in domains}
    net = DomainNet(domains, 512, 7)
    opt = torch.optim.Adam(net.parameters(), lr=5e-5)
    train(net, loaders, opt, 30)
    torch.save(net, "pacs.pt")
