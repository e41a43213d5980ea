# a part is loaded once more when the training goes wrong

import torch


def restart(model, optimizer, loader, path, epochs):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    averages = state["averages"]
    for epoch in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if loss.item() > 10:
            model.load_state_dict(averages)
