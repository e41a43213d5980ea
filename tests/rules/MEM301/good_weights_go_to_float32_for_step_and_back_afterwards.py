# weights go to float32 for the step and back afterwards

import torch


def convert_models_to_fp32(model):
    for p in model.parameters():
        p.data = p.data.float()
        p.grad.data = p.grad.data.float()


model = torch.nn.Linear(8, 8).cuda().half()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-5)
for x in torch.randn(10, 4, 8, device="cuda"):
    optimizer.zero_grad()
    model(x.half()).float().pow(2).mean().backward()
    convert_models_to_fp32(model)
    optimizer.step()
    model.half()
