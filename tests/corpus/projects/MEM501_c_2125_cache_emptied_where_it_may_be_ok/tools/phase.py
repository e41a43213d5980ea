import torch
from .mem import release


@torch.no_grad()
def evaluate(net, dl):
    net.eval()
    for x in dl:
        net(x.cuda())
    release()


def generate(net):
    release()
    with torch.inference_mode():
        return net(torch.ones(3).cuda())
