import torch


def train(model, loader, opt, criterion):
    for x, y in loader:
        opt.zero_grad()
        loss = criterion(model(x.cuda()), y.cuda())
        loss.backward()
        opt.step()


def main():
    net = torch.nn.Linear(3, 3).cuda()
    train(net, torch.load("l.pt"), torch.optim.SGD(net.parameters(), lr=0.1), torch.nn.MSELoss())
    torch.cuda.empty_cache()


main()
