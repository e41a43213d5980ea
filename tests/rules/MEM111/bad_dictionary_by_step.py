# a dictionary of gradients under the number of the step

def train(net, loader, optimizer, loss_fn):
    history = {}
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss_fn(net(x), y).backward()
        history[step] = {name: p.grad for name, p in net.named_parameters()}  #! MEM111 warning
        optimizer.step()
    return history
