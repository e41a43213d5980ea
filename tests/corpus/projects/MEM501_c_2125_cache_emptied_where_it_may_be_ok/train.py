import torch
from torch.utils.data import DataLoader
from tools.mem import release, watchdog
from tools.phase import evaluate, generate


def main():
    net = torch.nn.Linear(3, 3).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    dl = DataLoader(torch.load("x.pt"), batch_size=4, num_workers=2)
    for epoch in range(5):
        for i, x in enumerate(dl):
            opt.zero_grad()
            net(x.cuda()).mean().backward()
            opt.step()
            watchdog(i)
        release()
        evaluate(net, dl)
        generate(net)


main()
