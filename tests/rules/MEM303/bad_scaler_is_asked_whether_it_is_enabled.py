# both branches of what asks the scaler run a plain backward, and one of them steps by the scaler

import torch


def make_scaler(enabled):
    try:
        return torch.amp.GradScaler("cuda", enabled=enabled)
    except TypeError:
        return torch.cuda.amp.GradScaler(enabled=enabled)


def train(net, loader, config, amp):
    optimizer = torch.optim.Adam(net.parameters())
    scaler = make_scaler(amp and config["precision"] == "fp16")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = net(x, y)
        if scaler.is_enabled():
            loss.backward()  #! MEM303 error
        else:
            loss.backward()
        if scaler.is_enabled():
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
