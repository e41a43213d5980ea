import functools
import torch


def evaluation(fn):
    @functools.wraps(fn)
    def wrapper(model, *args, **kwargs):
        was_training = model.training
        model.eval()
        with torch.no_grad():
            result = fn(model, *args, **kwargs)
        model.train(was_training)
        return result

    return wrapper


@evaluation
def validate(model, loader, criterion):
    total = 0
    preds = []
    for x, y in loader:
        out = model(x.cuda())
        total += criterion(out, y.cuda())
        preds.append(out)
    return total / len(loader), torch.cat(preds)


def train(model, loader, val_loader, criterion, opt):
    for x, y in loader:
        loss = criterion(model(x.cuda()), y.cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(validate(model, val_loader, criterion)[0].item())
