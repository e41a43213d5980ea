# a function of another file puts the members of a dictionary in another order

import torch
from book import flatten_dict

policy = torch.nn.Linear(8, 2)
opt = torch.optim.Adam(policy.parameters())


def learn(rows, gains):
    logp = policy(rows).log_softmax(-1)
    loss = -(logp[:, 0] * gains).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return flatten_dict({"loss": {"push": loss}, "policy": {"ratio": logp.exp()}})


def update(train_loader):
    books = []
    for rows, gains in train_loader:
        books.append(learn(rows, gains))  #! MEM102 warning
    return torch.stack([book["loss_push"] for book in books]).mean().item()
