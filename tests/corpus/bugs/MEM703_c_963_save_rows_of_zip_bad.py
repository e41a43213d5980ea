import torch

net = torch.nn.Linear(32, 8)


@torch.no_grad()
def dump(loader, out):
    for x, names in loader:
        feats = net(x)
        for f, n in zip(feats, names):
            torch.save(f, f"{out}/{n}.pt")  #! MEM703
        for i, n in enumerate(names):
            torch.save({"f": feats[i], "n": n}, f"{out}/{n}.pth")  #! MEM703


dump(torch.utils.data.DataLoader(torch.load("pairs.pt")), "out")
