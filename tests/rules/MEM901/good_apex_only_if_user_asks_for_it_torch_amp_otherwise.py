# Apex only if the user asks for it, torch.amp otherwise

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--apex", action="store_true")
args = parser.parse_args()
if args.apex:
    from apex import amp
scaler = torch.amp.GradScaler("cuda")
model = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.Adam(model.parameters())
for x in torch.randn(10, 3, 4, device="cuda"):
    optimizer.zero_grad()
    loss = model(x).mean()
    if args.apex:
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
        optimizer.step()
    else:
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
