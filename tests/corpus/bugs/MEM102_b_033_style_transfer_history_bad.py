import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision import models


def gram(x):
    b, c, h, w = x.size()
    f = x.view(b * c, h * w)
    return f @ f.t() / (b * c * h * w)


class Extractor(nn.Module):
    def __init__(self, layers=(0, 5, 10, 19, 28)):
        super().__init__()
        self.vgg = models.vgg19(weights="DEFAULT").features.eval()
        for p in self.vgg.parameters():
            p.requires_grad_(False)
        self.layers = set(layers)

    def forward(self, x):
        out = []
        for i, m in enumerate(self.vgg):
            x = m(x)
            if i in self.layers:
                out.append(x)
        return out


def transfer(content, style, steps=2000, style_w=1e6, lr=0.02, device="cuda"):
    net = Extractor().to(device)
    content, style = content.to(device), style.to(device)
    with torch.no_grad():
        c_feat = net(content)[3]
        s_gram = [gram(f) for f in net(style)]
    img = content.clone().requires_grad_(True)
    opt = torch.optim.Adam([img], lr=lr)
    hist = {"content": [], "style": []}
    for i in range(steps):
        feats = net(img)
        c_loss = F.mse_loss(feats[3], c_feat)
        s_loss = 0
        for f, g in zip(feats, s_gram):
            s_loss += F.mse_loss(gram(f), g)
        loss = c_loss + style_w * s_loss
        opt.zero_grad()
        loss.backward()
        opt.step()
        hist["content"].append(c_loss)  #! MEM102
        hist["style"].append(s_loss)  #! MEM102
        with torch.no_grad():
            img.clamp_(0, 1)
        if i % 200 == 0:
            print(i, float(c_loss), float(s_loss))
    return img.detach().cpu(), hist
