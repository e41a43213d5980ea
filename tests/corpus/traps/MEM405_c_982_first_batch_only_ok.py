import torch
from torch.utils.data import DataLoader


def visualise(loader, model, writer, epochs, train_one_epoch):
    for epoch in range(epochs):
        train_one_epoch(model)
        model.eval()
        with torch.no_grad():
            imgs, _ = next(iter(loader))
            writer.add_images("recon", model(imgs), epoch)


def sanity(args, model, opt, ds):
    dl = DataLoader(ds, 32, num_workers=4)
    x, y = next(iter(dl))
    for step in range(200):
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()


def endless(dl):
    it = iter(dl)
    while True:
        try:
            yield next(it)
        except StopIteration:
            it = iter(dl)


def lbfgs(model, dl, opt):
    for epoch in range(10):
        x, y = next(iter(dl))

        def closure():
            opt.zero_grad()
            loss = ((model(x) - y) ** 2).mean()
            loss.backward()
            return loss

        opt.step(closure)
