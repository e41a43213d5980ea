import torch
from mylib.optimizers import build_wrapped_optimizer
from torch import nn

model = nn.Linear(16, 16).cuda()
optim = build_wrapped_optimizer(model, fp16=True)
for batch in torch.randn(40, 4, 16, device="cuda"):
    with torch.cuda.amp.autocast(enabled=optim.amp):  #? MEM903
        loss = model(batch).pow(2).mean()
    optim.zero_grad()
    optim.backward(loss)
    optim.step()
