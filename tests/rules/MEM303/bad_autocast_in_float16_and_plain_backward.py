# autocast in float16 and a plain backward

import torch
from torch import nn


def main():
    model = nn.TransformerEncoderLayer(32, 2, batch_first=True).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    for sequence in torch.randn(40, 4, 10, 32).cuda():
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = nn.functional.mse_loss(model(sequence), sequence)
        loss.backward()  #! MEM303 warning
        optimizer.step()


if __name__ == "__main__":
    main()
