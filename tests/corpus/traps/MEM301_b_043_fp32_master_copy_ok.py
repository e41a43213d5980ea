import torch


def master_params(model):
    out = []
    for p in model.parameters():
        m = p.detach().clone().float()
        m.requires_grad = True
        out.append(m)
    return out


def train(model, loader, scale=1024.):
    model = model.cuda().half()
    master = master_params(model)
    opt = torch.optim.SGD(master, lr=0.1, momentum=0.9)
    for x, y in loader:
        model.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x.cuda().half()).float(), y.cuda())
        (loss * scale).backward()
        for m, p in zip(master, model.parameters()):
            m.grad = p.grad.detach().float() / scale
        opt.step()
        with torch.no_grad():
            for m, p in zip(master, model.parameters()):
                p.copy_(m)
