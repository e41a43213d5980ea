# gradients clipped before they are unscaled

import torch
from torch.nn.utils import clip_grad_norm_


def epoch(model, loader, optimizer, scaler, max_norm):
    for tokens, targets in loader:
        with torch.amp.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        clip_grad_norm_(model.parameters(), max_norm)  #! MEM303 warning
        scaler.step(optimizer)
        scaler.update()


model = torch.nn.Sequential(torch.nn.Embedding(100, 32), torch.nn.Linear(32, 100)).cuda()
batches = [(torch.randint(0, 100, (4, 16)).cuda(), torch.randint(0, 100, (4, 16)).cuda())] * 20
epoch(model, batches, torch.optim.Adam(model.parameters()), torch.amp.GradScaler("cuda"), 0.5)
