# the last hundred losses are kept, each with all that its forward pass saved

import torch


def validate(net, loader, every=100):
    net.eval()
    recent = []
    for step, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
        recent.append(loss)  #! MEM102 error
        recent = recent[-every:]
        if step % every == 0:
            print(sum(float(value) for value in recent) / len(recent))
