import torch


def train(model, dl, opt):
    running, hist = 0.0, []
    for x, y in dl:
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        loss = loss.item()
        running += loss
        hist.append(loss)
    return running / len(hist)
