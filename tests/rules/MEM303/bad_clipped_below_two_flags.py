# the scaler is there only below two flags: the outer one is asked first, and `or` stays together

import torch


def fit(model, loader, optimizer, options, max_norm):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        loss = model(x, y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  #! MEM303
        if options is not None:
            if options.fp16 or options.bf16:
                scaler.step(optimizer)
                scaler.update()
        optimizer.zero_grad()
