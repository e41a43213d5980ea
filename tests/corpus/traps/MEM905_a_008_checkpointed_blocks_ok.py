import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Encoder(nn.Module):
    def __init__(self, depth, dim):
        super().__init__()
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(dim, 8, batch_first=True) for _ in range(depth))

    def forward(self, x, return_all=False):
        hidden_states = []
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
            hidden_states.append(x)
        return hidden_states if return_all else x


def pretrain(model, head, loader):
    opt = torch.optim.AdamW([*model.parameters(), *head.parameters()], 1e-4)
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(head(model(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(step, loss.item())
