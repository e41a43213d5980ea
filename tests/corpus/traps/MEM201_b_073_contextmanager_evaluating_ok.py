import contextlib
import torch


@contextlib.contextmanager
def evaluating(net):
    mode = net.training
    net.eval()
    with torch.no_grad():
        try:
            yield net
        finally:
            net.train(mode)


def validate(net, dl):
    losses = []
    with evaluating(net):
        for x, y in dl:
            losses.append(torch.nn.functional.mse_loss(net(x), y))
    return torch.stack(losses).mean().item()
