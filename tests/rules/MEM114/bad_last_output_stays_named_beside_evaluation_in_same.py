# the last output stays named beside the evaluation in the same function

import torch


def fit(net, opt, train_loader, test_loader):
    for x in train_loader:
        out = net(x)  #! MEM114 advice
        out.pow(2).mean().backward()
        opt.step()
        opt.zero_grad()

    def score(batch):
        return net(batch).sum().item()

    net.eval()
    with torch.no_grad():
        for batch in test_loader:
            print(score(batch))


model = torch.nn.Linear(8, 4000)
fit(model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(4, 2, 8), torch.randn(2, 200, 8))
