# validation without no_grad: nothing ever frees these graphs

import torch
import torch.nn.functional as F


def validate(model, val_loader):
    model.eval()
    val_loss = 0
    for x, y in val_loader:
        pred = model(x)
        val_loss += F.mse_loss(pred, y)  #! MEM101 error
    return val_loss / len(val_loader)


model = torch.nn.Linear(8, 1)
val_loader = [(torch.randn(16, 8), torch.randn(16, 1)) for _ in range(10)]
print(validate(model, val_loader).item())
