# one entry for each parameter, replaced in every step

def train(net, loader, optimizer, loss_fn):
    last = {}
    for x, y in loader:
        optimizer.zero_grad()
        loss_fn(net(x), y).backward()
        for name, p in net.named_parameters():
            last[name] = p.grad
        optimizer.step()
    return last
