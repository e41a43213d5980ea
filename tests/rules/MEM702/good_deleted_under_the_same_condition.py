# what is loaded under a condition is deleted under the same one, before the training

import torch


def train(model, optimizer, loader, weights, epochs):
    best, start, pretrained = 0.0, 0, weights.endswith(".pt")
    if pretrained:
        ckpt = torch.load(weights, map_location="cpu")
        state = ckpt["model"].float().state_dict()
        model.load_state_dict(state, strict=False)
    model.cuda()
    if pretrained:
        if ckpt["optimizer"] is not None:
            optimizer.load_state_dict(ckpt["optimizer"])
            best = ckpt["best"]
        start = ckpt["epoch"] + 1
        del ckpt, state
    for epoch in range(start, epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
        ckpt = {"epoch": epoch, "best": best, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(ckpt, "last.pt")
        del ckpt


def resume(model, optimizer, loader, path):
    if path is not None:
        state = torch.load(path, map_location="cpu")
        model.load_state_dict(state["model"])
    optimizer.zero_grad()
    if path is not None:
        optimizer.load_state_dict(state["optimizer"])
        state = None
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
