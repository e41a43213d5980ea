# the scaler is never updated

import torch

layer = torch.nn.Bilinear(8, 8, 2).cuda()
sgd = torch.optim.SGD(layer.parameters(), lr=0.01)
loss_scaler = torch.cuda.amp.GradScaler(init_scale=1024)
step = 0
while step < 500:
    a, b = torch.randn(2, 32, 8, device="cuda")
    with torch.cuda.amp.autocast():
        loss = layer(a, b).pow(2).sum()
    sgd.zero_grad()
    loss_scaler.scale(loss).backward()
    loss_scaler.step(sgd)
    loss_scaler.update()
    step += 1
