import torch


def attach(model, lr):
    opts = {p: torch.optim.SGD([p], lr=lr) for p in model.parameters()}

    def hook(p):
        opts[p].step()
        opts[p].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)


def train(model, dl, lr=0.1):
    attach(model, lr)
    for x, y in dl:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        print(loss.item())
