import torch
from ignite.engine import Engine
from torch.utils.data import DataLoader

net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step(engine, batch):
    opt.zero_grad()
    loss = net(batch.cuda()).pow(2).mean()
    loss.backward()
    opt.step()
    return loss.item()


batches = DataLoader(torch.randn(640, 8), batch_size=64, num_workers=2)  #! MEM413 advice
Engine(step).run(batches, max_epochs=3)
