import torch
from torch import nn

CURVE = []


def note(value):
    global CURVE
    CURVE = CURVE + [value]  #= MEM102


def fit(model, batches):
    opt = torch.optim.RMSprop(model.parameters(), 1e-3)
    for x, y in batches:
        loss = nn.functional.l1_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        note(loss)  #! MEM102


def main():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
    fit(model, [(torch.randn(32, 8), torch.randn(32, 1)) for _ in range(200)])
    print(len(CURVE), float(CURVE[-1]))


main()
