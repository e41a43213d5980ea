# claim: GROWTH, expected: not_measurable (on the CPU nothing is gathered on a GPU)
# needs: accelerate
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
accelerator = Accelerator()
loader = DataLoader(TensorDataset(torch.randn(1024, 128)), batch_size=16)
model, loader = accelerator.prepare(nn.Linear(128, 512), loader)
model.eval()
gathered = []
for (batch,) in loader:
    with torch.no_grad():
        logits = model(batch)
    logits = accelerator.gather_for_metrics(logits)
    gathered.append(logits)
print(torch.cat(gathered).shape)
