# accelerate: logits of all processes

import torch
from accelerate import Accelerator

accelerator = Accelerator()
model = torch.nn.Linear(128, 5000)
eval_dataloader = torch.utils.data.DataLoader(torch.randn(640, 128), batch_size=16)
model, eval_dataloader = accelerator.prepare(model, eval_dataloader)
model.eval()
all_logits = []
for batch in eval_dataloader:
    with torch.no_grad():
        logits = model(batch)
    logits = accelerator.gather_for_metrics(logits)
    all_logits.append(logits.cpu())
print(torch.cat(all_logits).shape)
