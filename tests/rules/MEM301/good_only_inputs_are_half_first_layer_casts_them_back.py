# only the inputs are half; the first layer casts them back

import torch

model = torch.nn.Linear(4, 2)
opt = torch.optim.Adam(model.parameters())
for x in torch.randn(10, 2, 4):
    packed = x.half()
    labels = torch.zeros(2).to(torch.float16)
    opt.zero_grad()
    loss = (model(packed.float()).mean(1) - labels.float()).pow(2).mean()
    loss.backward()
    opt.step()
