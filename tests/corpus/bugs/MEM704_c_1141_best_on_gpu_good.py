import torch
from sklearn.model_selection import KFold


def run(make, X, Y, epochs=30):
    scores = []
    for k, (tr, va) in enumerate(KFold(5).split(X)):
        net = make().cuda()
        opt = torch.optim.Adam(net.parameters())
        best = float("inf")
        for epoch in range(epochs):
            opt.zero_grad()
            loss = (net(X[tr].cuda()) - Y[tr].cuda()).pow(2).mean()
            loss.backward()
            opt.step()
            with torch.no_grad():
                v = (net(X[va].cuda()) - Y[va].cuda()).pow(2).mean().item()
            if v < best:
                best = v
                torch.save(net.state_dict(), f"best{k}.pt")
        net.load_state_dict(torch.load(f"best{k}.pt", map_location="cuda"))
        scores.append(best)
    return scores
