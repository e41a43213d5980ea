import torch
import torch.nn.functional as F


def train(model, opt, loader, sink):
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            logits = model(x.cuda())
            loss = F.cross_entropy(logits, y.cuda())
        opt.backward(loss)
        opt.step()
        sink(loss=loss.detach(), hit=(logits.argmax(1).cpu() == y).sum())
