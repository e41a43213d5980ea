import torch
from torch import nn


def train(net, dl, opt, scaler):
    for img, y in dl:
        img = img.half().cuda()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(img), y.cuda())
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()


def export(net, path):
    state = {k: v.half() for k, v in net.state_dict().items()}
    torch.save(state, path)
