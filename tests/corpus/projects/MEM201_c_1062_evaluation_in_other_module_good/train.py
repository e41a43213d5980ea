import torch
import yaml
from torch.utils.data import DataLoader

from evaluate import validate
from models.resunet import ResUNet

cfg = yaml.safe_load(open("config.yaml"))
net = ResUNet(**cfg["model"]).cuda()
opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"])
train = DataLoader(torch.load(cfg["train"]), batch_size=2, num_workers=4, shuffle=True)
val = DataLoader(torch.load(cfg["val"]), batch_size=1, num_workers=2)
for epoch in range(cfg["epochs"]):
    for vol, seg in train:
        opt.zero_grad(set_to_none=True)
        loss = torch.nn.functional.cross_entropy(net(vol.cuda()), seg.cuda())
        loss.backward()
        opt.step()
    print(epoch, validate(net, val, "cuda").tolist())
