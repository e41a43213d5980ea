"""Sums of losses over one forward: detection heads, deep supervision, multi-crop, contrastive."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def deep_supervision(net, opt, loader):
    w = [1.0, 0.4, 0.2]
    for img, mask in loader:
        outs = net(img)
        loss = 0
        for i, o in enumerate(outs):
            loss += w[i] * F.cross_entropy(F.interpolate(o, size=mask.shape[-2:]), mask)
        opt.zero_grad()
        loss.backward()
        opt.step()


def detector(model, opt, loader):
    for images, targets in loader:
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())
        opt.zero_grad()
        losses.backward()
        opt.step()


def multi_crop(student, teacher, opt, loader):
    for crops in loader:
        with torch.no_grad():
            t = [F.softmax(teacher(c) / 0.04, -1) for c in crops[:2]]
        s = [student(c) for c in crops]
        total, n = 0, 0
        for i, q in enumerate(t):
            for j in range(len(s)):
                if j == i:
                    continue
                total += torch.sum(-q * F.log_softmax(s[j] / 0.1, -1), -1).mean()
                n += 1
        total /= n
        opt.zero_grad()
        total.backward()
        opt.step()


def seq2seq(enc, dec, crit, eo, do, pairs):
    for src, tgt in pairs:
        eo.zero_grad()
        do.zero_grad()
        h = enc(src)
        loss = 0
        inp = tgt[:1]
        for t in range(1, len(tgt)):
            out, h = dec(inp, h)
            loss += crit(out, tgt[t:t + 1])
            inp = tgt[t:t + 1]
        loss.backward()
        eo.step()
        do.step()
