import torch


def make_update(net, opt):
    def update(engine, batch):
        net.train()
        opt.zero_grad()
        loss = net(batch.cuda()).pow(2).mean()
        loss.backward()
        opt.step()
        return loss.item()

    return update


def make_eval(net):
    def step(engine, batch):
        net.eval()
        with torch.no_grad():
            return net(batch.cuda())

    return step
