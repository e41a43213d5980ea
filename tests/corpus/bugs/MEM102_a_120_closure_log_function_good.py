import torch
import torch.nn.functional as F


def fit(model, loader, epochs, lr=1e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []

    def log(value):
        history.append(value)
        if len(history) % 100 == 0:
            print(len(history), float(history[-1]))

    for _ in range(epochs):
        for x, y in loader:
            loss = F.binary_cross_entropy_with_logits(model(x).squeeze(1), y.float())
            opt.zero_grad()
            loss.backward()
            opt.step()
            log(loss.item())
    return history
