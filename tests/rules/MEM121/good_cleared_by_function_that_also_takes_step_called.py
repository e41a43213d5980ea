# cleared by the function that also takes the step, called after backward

import torch


def optimizer_step(optimizer, scheduler, model, max_norm):
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    scheduler.step()
    model.zero_grad(set_to_none=True)


model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
scheduler = torch.optim.lr_scheduler.ConstantLR(optimizer)
for x in torch.randn(20, 8, 4):
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer_step(optimizer, scheduler, model, 1.0)
