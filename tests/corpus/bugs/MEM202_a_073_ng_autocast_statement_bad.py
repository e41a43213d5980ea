import torch
import torch.nn.functional as F


def train_one_epoch(model, loader, optimizer, device):
    scaler = torch.amp.GradScaler("cuda")
    model.train()
    for step, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad(set_to_none=True)
        torch.autocast(device_type="cuda", dtype=torch.float16)  #! MEM202
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if step % 100 == 0:
            print(step, loss.item())
