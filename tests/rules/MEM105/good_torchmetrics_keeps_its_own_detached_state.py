# torchmetrics keeps its own, detached state

import torch
import torchmetrics

model = torch.nn.Linear(8, 3)
optimizer = torch.optim.Adam(model.parameters())
accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=3)
mean_loss = torchmetrics.MeanMetric()
for _ in range(30):
    x, y = torch.randn(8, 8), torch.randint(0, 3, (8,))
    logits = model(x)
    loss = torch.nn.functional.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    accuracy.update(logits, y)
    mean_loss.update(loss)


class Unused:
    pass
