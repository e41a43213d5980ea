import torch
from src.loaders import build_loader
from src.common import NUM_WORKERS


def main():
    net = torch.nn.Embedding(100, 2).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for batch in build_loader("a.json", NUM_WORKERS):  #! MEM402
        opt.zero_grad()
        net(batch.cuda()).mean().backward()
        opt.step()


if __name__ == "__main__":
    main()
