import torch
import torch.nn as nn
from transformers import AutoModel


class Pooler(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.enc = AutoModel.from_pretrained(name, output_hidden_states=True)
        self.w = nn.Parameter(torch.ones(4))

    def forward(self, ids, mask):
        hs = self.enc(ids, attention_mask=mask).hidden_states[-4:]
        return (torch.stack(hs) * self.w.softmax(0)[:, None, None, None]).sum(0).mean(1)


def train(net, head, loader):
    opt = torch.optim.AdamW([*net.parameters(), *head.parameters()], 2e-5)
    skipped, errors = 0, []
    for ids, mask, y in loader:
        try:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(head(net(ids.cuda(), mask.cuda())), y.cuda())
            loss.backward()
            opt.step()
        except torch.cuda.OutOfMemoryError as e:
            skipped += 1
            errors.append(str(e))
            opt.zero_grad()
            torch.cuda.empty_cache()
            continue


def find_batch_size(net, make, start=256):
    size = start
    while size > 1:
        ok = True
        try:
            net(make(size)).sum().backward()
        except RuntimeError as err:
            if "out of memory" not in str(err):
                raise
            ok = False
        net.zero_grad()
        if ok:
            return size
        torch.cuda.empty_cache()
        size //= 2
    return 1
