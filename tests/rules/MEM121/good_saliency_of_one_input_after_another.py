# gradients are inspected, no optimizer steps: saliency of one input after another

import torch

model = torch.nn.Linear(10, 3)
scheduler = torch.optim.lr_scheduler.StepLR(torch.optim.SGD(model.parameters(), lr=0.1), 10)
maps = []
for image in torch.randn(5, 1, 10):
    image.requires_grad_(True)
    model(image)[0, 0].backward()
    maps.append(image.grad.abs())
    scheduler.step()
