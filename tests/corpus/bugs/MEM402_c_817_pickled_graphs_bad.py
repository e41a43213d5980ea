import pickle
import torch
import torch.utils.data as tud


class MolGraphs(tud.Dataset):
    def __init__(self, pkl):
        with open(pkl, "rb") as f:
            self.graphs = pickle.load(f)  #! MEM402

    def __getitem__(self, k):
        g = self.graphs[k]
        return torch.tensor(g["x"]), torch.tensor(g["y"])

    def __len__(self):
        return len(self.graphs)


def build_loader(cfg):
    return tud.DataLoader(MolGraphs(cfg.pkl), cfg.batch, shuffle=True, num_workers=cfg.workers or 4, persistent_workers=True)


class Runner:
    def __init__(self, cfg, net):
        self.net, self.loader = net, build_loader(cfg)
        self.opt = torch.optim.Adam(net.parameters())

    def fit(self, n):
        for _ in range(n):
            for x, y in self.loader:
                self.opt.zero_grad()
                torch.nn.functional.l1_loss(self.net(x), y).backward()
                self.opt.step()
