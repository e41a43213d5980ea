import torch


def create_supervised(net, crit, opt, device):
    def update(loader):
        net.train()
        for x, y in loader:
            opt.zero_grad()
            loss = crit(net(x.to(device)), y.to(device))
            loss.backward()
            opt.step()

    def evaluate(loader):
        net.eval()
        total, n = 0.0, 0
        with torch.no_grad():
            for x, y in loader:
                total += crit(net(x.to(device)), y.to(device)).item()
                n += 1
        return total / n

    return {"update": update, "evaluate": evaluate}
