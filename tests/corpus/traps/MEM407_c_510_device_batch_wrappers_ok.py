import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Graph(Dataset):
    """Items carry a `to` that the training loop calls; the class itself never moves anything."""

    def __init__(self, adj, feats):
        self.adj, self.feats = adj, feats
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def __len__(self):
        return len(self.feats)

    def __getitem__(self, i):
        node = torch.zeros(3, device="cpu")
        return self.adj[i].to(dtype=torch.float32), self.feats[i] + node.to(self.feats[i])

    def to_device(self, *tensors):
        return [t.to(self.device) for t in tensors]


def collate_graphs(items):
    adj, feats = zip(*items)
    return torch.block_diag(*adj), torch.cat(feats)


def main(device):
    data = Graph(torch.rand(50, 4, 4), torch.rand(50, 4, 3))
    loader = DataLoader(data, 10, True, num_workers=2, collate_fn=collate_graphs)
    tiny = DataLoader(TensorDataset(torch.rand(10, 3).pin_memory()), 5, num_workers=1)
    model = torch.nn.Linear(3, 1).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for (adj, feats), (extra,) in zip(loader, tiny):
        adj, feats = data.to_device(adj, feats)
        loss = (adj @ model(feats)).mean() + model(extra.to(device)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main(torch.device("cuda:1"))
