import gc

import torch


def train(model, loader, opt, epochs, use_ema):
    for epoch in range(epochs):
        model.train()
        for i, (x, y) in enumerate(loader):
            try:
                loss = model(x.cuda(), y.cuda())
                loss.backward()
                opt.step()
                opt.zero_grad()
            except RuntimeError as e:
                if "out of memory" not in str(e):
                    raise
                opt.zero_grad()
                torch.cuda.empty_cache()
            if torch.cuda.memory_reserved() > 0.9 * torch.cuda.get_device_properties(0).total_memory:
                torch.cuda.empty_cache()
        gc.collect()
        torch.cuda.empty_cache()
        validate(model, loader)


def validate(model, loader):
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            model(x.cuda(), y.cuda())
    torch.cuda.empty_cache()


def sweep(build, loader):
    for lr in (0.1, 0.01, 0.001):
        model = build().cuda()
        opt = torch.optim.SGD(model.parameters(), lr=lr)
        train(model, loader, opt, 3, False)
        del model, opt
        gc.collect()
        torch.cuda.empty_cache()
