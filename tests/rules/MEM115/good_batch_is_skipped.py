# the batch is skipped

import torch

net = torch.nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(5, 4, 8):
    try:
        loss = net(x).sum()
        loss.backward()
    except RuntimeError as e:
        if "out of memory" in str(e):
            print("skipping a batch", e)
            opt.zero_grad()
            torch.cuda.empty_cache()
            continue
        raise e
    opt.step()
