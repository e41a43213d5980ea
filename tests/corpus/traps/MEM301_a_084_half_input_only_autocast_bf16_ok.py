import torch
from torch import nn


def train(model, loader, epochs):
    model = model.cuda()
    opt = torch.optim.AdamW(model.parameters(), 1e-4)
    scaler = torch.amp.GradScaler()
    for epoch in range(epochs):
        for imgs, target in loader:
            imgs = imgs.cuda().half() / 255
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(imgs), target.cuda())
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
    half_weights = {k: v.half() for k, v in model.state_dict().items()}
    torch.save(half_weights, "model_fp16.pt")
    deployed = model.eval().half()
    torch.jit.save(torch.jit.script(deployed), "deploy.pt")
