import torch


def collect(acc, model, dl):
    model.eval()
    keep = []
    with torch.no_grad():
        for x in dl:
            keep.append(acc.gather(model(x)))  #! MEM606
    return torch.cat(keep)
