"""CV with best copies kept on the GPU; OOM in fold 4."""
import copy

import torch
from sklearn.model_selection import KFold


def run(make, X, Y, epochs=30):
    models = []
    for tr, va in KFold(5).split(X):
        net = make().cuda()
        opt = torch.optim.Adam(net.parameters())
        best, best_w = float("inf"), None
        for epoch in range(epochs):
            opt.zero_grad()
            loss = (net(X[tr].cuda()) - Y[tr].cuda()).pow(2).mean()
            loss.backward()
            opt.step()
            with torch.no_grad():
                v = (net(X[va].cuda()) - Y[va].cuda()).pow(2).mean().item()
            if v < best:
                best = v
                best_w = copy.deepcopy(net.state_dict())  #! MEM704
        net.load_state_dict(best_w)
        models.append(net)
    return models
