# a loop over the parameters in a function that main() calls

import torch


def clear(net):
    for p in net.parameters():
        if p.grad is not None:
            p.grad.detach_()
            p.grad.zero_()  #! MEM123 advice


def train(net, batches):
    adam = torch.optim.Adam(net.parameters())
    for x in batches:
        clear(net)
        net(x).mean().backward()
        adam.step()


def main():
    train(torch.nn.Linear(5, 5), torch.randn(8, 2, 5))


main()
