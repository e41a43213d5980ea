import torch
import torch.nn.functional as F


def knn_monitor(net, memory_loader, test_loader, k=200, t=0.1, classes=10):
    net.eval()
    bank = []
    for data, target in memory_loader:
        feature = net(data.cuda(non_blocking=True))  #! MEM201
        bank.append(F.normalize(feature, dim=1))  #! MEM102
    bank = torch.cat(bank, dim=0).t().contiguous()
    labels = torch.tensor(memory_loader.dataset.targets, device=bank.device)
    top1, num = 0.0, 0
    for data, target in test_loader:
        data, target = data.cuda(), target.cuda()
        f = F.normalize(net(data), dim=1)  #! MEM201
        pred = knn_predict(f, bank, labels, classes, k, t)
        num += data.size(0)
        top1 += (pred[:, 0] == target).float().sum().item()
    return top1 / num * 100


def knn_predict(f, bank, labels, classes, k, t):
    sim = torch.mm(f, bank)
    w, idx = sim.topk(k=k, dim=-1)
    lab = torch.gather(labels.expand(f.size(0), -1), -1, idx)
    w = (w / t).exp()
    onehot = torch.zeros(f.size(0) * k, classes, device=lab.device).scatter(-1, lab.view(-1, 1), 1.0)
    return (onehot.view(f.size(0), -1, classes) * w.unsqueeze(-1)).sum(1).argsort(-1, descending=True)


def nt_xent(z1, z2, tau=0.5):
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.t() / tau
    sim.fill_diagonal_(-1e9)
    n = z1.size(0)
    return F.cross_entropy(sim, torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device))


def train(net, loader, memory_loader, test_loader, epochs):
    opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-6)
    for ep in range(epochs):
        net.train()
        for (a, b), _ in loader:
            loss = nt_xent(net(a.cuda()), net(b.cuda()))
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(ep, knn_monitor(net, memory_loader, test_loader))
