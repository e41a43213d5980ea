import torch


def train(net, dl, opt):
    recent = []
    for i, (x, y) in enumerate(dl):
        loss = torch.nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        parts = [loss]
        parts.append(net.aux_loss if hasattr(net, "aux_loss") else loss)
        recent.append(sum(p.item() for p in parts))
        if i % 100 == 99:
            print(sum(recent) / len(recent))
            recent.clear()
