"""Parts of a model in several optimizers, frozen rests, parameter groups."""
import torch
import torch.nn as nn
from torchvision import models
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM


def groups(model, lr):
    return torch.optim.SGD([{"params": model.backbone.parameters(), "lr": lr * 0.1},
                            {"params": model.head.parameters()}], lr=lr)


def two(model, loader):
    o1 = torch.optim.SGD(model.enc.parameters(), 0.1)
    o2 = torch.optim.Adam(model.dec.parameters())
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        o1.zero_grad()
        o2.zero_grad()
        loss.backward()
        o1.step()
        o2.step()


def frozen(loader):
    net = models.resnet18(weights="DEFAULT")
    for name, p in net.named_parameters():
        if not name.startswith("fc"):
            p.requires_grad = False
    opt = torch.optim.SGD(net.fc.parameters(), lr=0.1)
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()


def decay(model):
    d, n = [], []
    for k, p in model.named_parameters():
        (n if k.endswith("bias") or "norm" in k else d).append(p)
    return torch.optim.AdamW([{"params": d, "weight_decay": 0.1}, {"params": n, "weight_decay": 0.0}], lr=1e-3)


def lora(loader):
    base = AutoModelForCausalLM.from_pretrained("gpt2")
    model = get_peft_model(base, LoraConfig(task_type="CAUSAL_LM"))
    opt = torch.optim.AdamW(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-4)
    for b in loader:
        loss = model(**b).loss
        opt.zero_grad()
        loss.backward()
        opt.step()


class Probe(nn.Module):
    def __init__(self, enc, d, n):
        super().__init__()
        self.enc, self.fc = enc, nn.Linear(d, n)

    def forward(self, x):
        with torch.no_grad():
            h = self.enc(x)
        return self.fc(h)


def probe(enc, loader):
    m = Probe(enc, 512, 10)
    opt = torch.optim.SGD(m.fc.parameters(), lr=30.0)
    for x, y in loader:
        loss = nn.functional.cross_entropy(m(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
