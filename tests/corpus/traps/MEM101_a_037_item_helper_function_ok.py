import torch
from torch import nn


def to_scalar(v):
    return v.detach().cpu().item() if torch.is_tensor(v) else float(v)


def train_step(model, batch, opt):
    x, y = batch
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return {"loss": to_scalar(loss), "rmse": to_scalar(loss.sqrt())}


def fit(model, loader, epochs):
    opt = torch.optim.Adam(model.parameters())
    history = {"loss": [], "rmse": []}
    for _ in range(epochs):
        total_loss = 0
        for batch in loader:
            logs = train_step(model, batch, opt)
            total_loss += logs["loss"]
            for k, v in logs.items():
                history[k].append(v)
        print(total_loss)
    return history
