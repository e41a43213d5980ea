# written to disk at that moment

import torch


def fit(model, opt, loader, evaluate, path):
    best = 0.0
    for epoch in range(10):
        for x in loader:
            opt.zero_grad()
            model(x).sum().backward()
            opt.step()
        score = evaluate(model)
        if score > best:
            best = score
            best_state = {"epoch": epoch, "model": model.state_dict(), "opt": opt.state_dict()}
            torch.save(best_state, path)
            torch.save(model.state_dict(), path + ".weights")
    model.load_state_dict(torch.load(path)["model"])
