# the loaded dictionary is deleted before another one of its name is written

import torch


def resume(model, optimizer, loader, path, epochs):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    best = state["best"]
    del state
    for epoch in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        state = {"model": model.state_dict(), "best": best}
        torch.save(state, path)
