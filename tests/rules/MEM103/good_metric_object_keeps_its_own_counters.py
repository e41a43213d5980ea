# a metric object keeps its own counters

import torch
import torchmetrics

metric = torchmetrics.Accuracy(task="multiclass", num_classes=3).cuda()
model = torch.nn.Linear(5, 3).cuda()
loader = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(torch.randn(50, 5), torch.randint(0, 3, (50,))), batch_size=10
)
with torch.no_grad():
    for x, y in loader:
        metric.update(model(x.cuda()), y.cuda())
print(metric.compute())
