import torch
from torch import optim


def run(model, opts, train_set, n_epochs):
    model.train()
    for _ in range(n_epochs):
        for ids in train_set.user_iter(500, shuffle=True):
            ratings = torch.Tensor(train_set.csr[ids, :].toarray())
            for optimizer in opts:
                optimizer.zero_grad()
            _, loss = model(ratings)
            loss.backward()
            for optimizer in opts:
                optimizer.step()


def fit(model, train_set, epochs):
    enc = optim.Adam(set(model.encoder.parameters()), lr=5e-4)
    dec = optim.Adam(set(model.decoder.parameters()), lr=5e-4)
    for _ in range(epochs):
        run(model, [enc], train_set, 3)
        model.update_prior()
        run(opts=[dec], model=model, train_set=train_set, n_epochs=1)
