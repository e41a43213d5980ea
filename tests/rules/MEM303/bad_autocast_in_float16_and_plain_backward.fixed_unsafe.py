# autocast in float16 and a plain backward

import torch
from torch import nn


def main():
    model = nn.TransformerEncoderLayer(32, 2, batch_first=True).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("cuda")
    for sequence in torch.randn(40, 4, 10, 32).cuda():
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = nn.functional.mse_loss(model(sequence), sequence)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


if __name__ == "__main__":
    main()
