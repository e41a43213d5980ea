# Half precision by autocast and a scaler that is created but steered only halfway.
import torch
from torch import nn
from torch.amp import GradScaler, autocast


def build():
    return nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 28 * 28, 10)).cuda()


def main(steps: int = 500):
    model, scaler = build(), GradScaler("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for i in range(steps):
        images, labels = torch.rand(64, 1, 28, 28).cuda(), torch.randint(10, (64,)).cuda()
        optimizer.zero_grad(set_to_none=True)
        with autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if i % 100 == 0:
            print(i, loss.item())


main()
