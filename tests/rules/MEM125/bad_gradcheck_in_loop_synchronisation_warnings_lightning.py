# gradcheck in the loop, synchronisation warnings, a Lightning trainer

import lightning as L
import torch
from torch.autograd import gradcheck

torch.cuda.set_sync_debug_mode("warn")  #! MEM125
layer = torch.nn.Linear(3, 3).double()
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
for x in torch.randn(50, 2, 3, dtype=torch.float64):
    x.requires_grad_()
    assert gradcheck(layer, (x,))  #! MEM125
    opt.zero_grad()
    layer(x).mean().backward()
    opt.step()
trainer = L.Trainer(max_epochs=3, detect_anomaly=True)  #! MEM125
