# schedulers without the argument, and other calls that do take verbose

import torch
from torch.optim import lr_scheduler
from sklearn.svm import SVC

optimizer = torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
plateau = lr_scheduler.ReduceLROnPlateau(optimizer, "min", 0.1, 5)
torch.onnx.export(torch.nn.Linear(2, 2), (torch.randn(1, 2),), "net.onnx", verbose=True)
model = SVC(verbose=True)
