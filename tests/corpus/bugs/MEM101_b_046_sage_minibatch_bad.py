import torch
import torch.nn.functional as F
from torch_geometric.loader import NeighborLoader
from torch_geometric.nn import SAGEConv
from tqdm import tqdm


class SAGE(torch.nn.Module):
    def __init__(self, i, h, o, layers=2):
        super().__init__()
        self.convs = torch.nn.ModuleList([SAGEConv(i, h)] + [SAGEConv(h, h) for _ in range(layers - 2)] + [SAGEConv(h, o)])

    def forward(self, x, ei):
        for k, c in enumerate(self.convs):
            x = c(x, ei)
            if k < len(self.convs) - 1:
                x = F.dropout(F.relu(x), 0.5, self.training)
        return x


def train(model, loader, optimizer, device):
    model.train()
    total_loss = total_correct = total_examples = 0
    for batch in tqdm(loader):
        batch = batch.to(device)
        optimizer.zero_grad()
        y = batch.y[:batch.batch_size]
        y_hat = model(batch.x, batch.edge_index)[:batch.batch_size]
        loss = F.cross_entropy(y_hat, y)
        loss.backward()
        optimizer.step()
        total_loss += loss * batch.batch_size  #! MEM101
        total_correct += int((y_hat.argmax(-1) == y).sum())
        total_examples += batch.batch_size
    return total_loss / total_examples, total_correct / total_examples


def inference(model, loader, device):
    model.eval()
    outs = []
    for batch in loader:
        out = model(batch.x.to(device), batch.edge_index.to(device))  #! MEM201
        outs.append(out[:batch.batch_size].cpu())  #! MEM102
    return torch.cat(outs)


def main(data, n_cls):
    loader = NeighborLoader(data, num_neighbors=[25, 10], batch_size=1024, input_nodes=data.train_mask, num_workers=6)
    full = NeighborLoader(data, num_neighbors=[-1], batch_size=4096, num_workers=6)
    model = SAGE(data.num_features, 256, n_cls).cuda()
    opt = torch.optim.Adam(model.parameters(), lr=0.003)
    for ep in range(20):
        l, a = train(model, loader, opt, "cuda")
        print(ep, float(l), a, inference(model, full, "cuda").shape)
