import peft
import torch
import torch.nn as nn
import torchvision
from transformers import AutoModelForCausalLM


def linear_probe(loader):
    net = torchvision.models.resnet34(weights="DEFAULT")
    for name, p in net.named_parameters():
        p.requires_grad = name.startswith("fc")
    net.fc = nn.Linear(512, 10)
    opt = torch.optim.SGD(net.fc.parameters(), 0.1)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


def discriminative(net, loader):
    head = [p for n, p in net.named_parameters() if "classifier" in n]
    rest = [p for n, p in net.named_parameters() if "classifier" not in n]
    opt = torch.optim.AdamW([{"params": rest, "lr": 1e-5}, {"params": head, "lr": 1e-3}])
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


def lora(loader):
    base = AutoModelForCausalLM.from_pretrained("facebook/opt-350m", torch_dtype=torch.float16, device_map={"": 0})  #! MEM906
    model = peft.get_peft_model(base, peft.LoraConfig(r=8, target_modules=["q_proj", "v_proj"]))
    for p in model.parameters():
        if p.requires_grad:
            p.data = p.data.float()
    opt = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), 1e-4)
    scaler = torch.amp.GradScaler("cuda")
    for b in loader:
        with torch.autocast("cuda"):
            loss = model(**b).loss
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()


def features_first(backbone, head, loader):
    backbone.eval()
    opt = torch.optim.Adam(head.parameters())
    for x, y in loader:
        with torch.no_grad():
            z = backbone(x).flatten(1)
        opt.zero_grad()
        nn.functional.cross_entropy(head(z), y).backward()
        opt.step()
