import copy
import torch


def fit(model, train, val, epochs):
    opt = torch.optim.Adam(model.parameters())
    initial = copy.deepcopy(model.state_dict())
    best = None
    for fold in range(5):
        model.load_state_dict(initial)
        for ep in range(epochs):
            for x, y in train:
                opt.zero_grad()
                torch.nn.functional.mse_loss(model(x), y).backward()
                opt.step()
            if val(model) > 0.5:
                best = {k: v.cpu().clone() for k, v in model.state_dict().items()}
                state = {"model": model.state_dict(), "epoch": ep}
                torch.save(state, "best.pth")
    return best
