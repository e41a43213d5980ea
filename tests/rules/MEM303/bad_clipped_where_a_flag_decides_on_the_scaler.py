# the scaler is there only with a flag, which the line that unscales has to ask as well

import torch


def fit(model, loader, optimizer, fp16, accumulate, max_norm):
    scaler = torch.amp.GradScaler("cuda") if fp16 else None
    for step, (x, y) in enumerate(loader):
        if fp16:
            with torch.amp.autocast("cuda"):
                loss = model(x, y)
            scaler.scale(loss / accumulate).backward()
        else:
            loss = model(x, y)
            (loss / accumulate).backward()
        if (step + 1) % accumulate == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  #! MEM303
            if fp16:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            optimizer.zero_grad()
