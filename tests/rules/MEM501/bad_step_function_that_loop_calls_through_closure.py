# a step function that the loop calls, through a closure

import torch


def make_step(model, criterion, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = criterion(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        torch.cuda.empty_cache()  #! MEM501
        return loss.item()

    return step


regressor = torch.nn.Linear(12, 1).cuda()
train_step = make_step(regressor, torch.nn.MSELoss(), torch.optim.SGD(regressor.parameters(), lr=0.01))
for it in range(100):
    train_step(torch.randn(8, 12), torch.randn(8, 1))
