import torch
from torchvision import models, transforms
from PIL import Image


def embed(paths):
    net = models.resnet50(weights="DEFAULT").cuda().eval()
    for p in net.parameters():
        p.requires_grad = False
    tf = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor()])
    feats = []
    for path in paths:
        x = tf(Image.open(path).convert("RGB")).unsqueeze(0).cuda()
        feats.append(net(x)) #? MEM103
    return torch.cat(feats)


def embed2(net, batches):
    net.requires_grad_(False)
    net.eval()
    out = []
    for b in batches:
        out.append(net(b.cuda())) #? MEM103
    return torch.cat(out)
