# the region spans all epochs; comments and branches go with it

import torch
from torch.amp import GradScaler, autocast


def train(net, loader, optimizer, epochs):
    scaler, best = GradScaler("cuda"), float("inf")
    with autocast("cuda"):  # float16  #! MEM302 error
        for epoch in range(epochs):
            for number, batch in enumerate(loader):
                # the second half of the batches is masked
                if number > len(loader) // 2:
                    guess = net(batch * (torch.rand_like(batch) > 0.1))
                else:
                    guess = net(batch)
                loss = guess.float().pow(2).mean()
                optimizer.zero_grad()

                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
            best = min(best, loss.item())
    return best


net = torch.nn.Sequential(torch.nn.Linear(9, 18), torch.nn.ReLU(), torch.nn.Linear(18, 1)).cuda()
train(net, torch.randn(40, 8, 9).cuda(), torch.optim.AdamW(net.parameters()), epochs=2)
