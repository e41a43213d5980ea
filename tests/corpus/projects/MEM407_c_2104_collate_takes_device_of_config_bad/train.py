import torch
from torch.utils.data import DataLoader
from data.collate import to_batch
from data import config


def main():
    dl = DataLoader(torch.load("i.pt"), batch_size=8, num_workers=config.workers, collate_fn=to_batch)  #! MEM407
    net = torch.nn.Linear(50, 3).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for x in dl:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()


if __name__ == "__main__":
    main()
