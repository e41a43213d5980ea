# ignite's evaluator step is decorated by hand, accelerate's loop is under inference_mode

import torch
from accelerate import Accelerator

accelerator = Accelerator()
model = accelerator.prepare(torch.nn.Linear(2, 2))
eval_dataloader = torch.utils.data.DataLoader(torch.randn(8, 2))
model.eval()
for step, batch in enumerate(eval_dataloader):
    with torch.inference_mode():
        outputs = model(batch)
    print(accelerator.gather_for_metrics(outputs.argmax(-1)))
