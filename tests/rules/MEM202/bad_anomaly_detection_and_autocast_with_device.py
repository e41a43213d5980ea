# anomaly detection and autocast with a device, in a while loop

import torch

torch.autograd.detect_anomaly()  #! MEM202
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
step = 0
while step < 10:
    torch.autocast(device_type="cuda", dtype=torch.float16)  #! MEM202
    loss = net(torch.randn(2, 4)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    step += 1
