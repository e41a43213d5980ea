import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from losses import gram, style_loss
from transform_net import TransformNet
from vgg import VGGFeatures


def main():
    device = "cuda"
    vgg, net = VGGFeatures().to(device), TransformNet().to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    style = torch.load("style.pt").to(device)
    with torch.no_grad():
        style_grams = [gram(f) for f in vgg(style)]
    running = 0.0
    for step, images in enumerate(DataLoader(torch.load("coco.pt"), 4, shuffle=True)):
        images = images.to(device)
        optimizer.zero_grad()
        styled = net(images)
        with torch.no_grad():
            target = vgg(images)
        feats = vgg(styled)
        content = F.mse_loss(feats[1], target[1])
        style_term = style_loss(feats, style_grams)
        loss = content + 1e5 * style_term
        loss.backward()
        optimizer.step()
        running += style_term.item()
        if step % 100 == 0:
            print(step, float(running) / (step + 1))


if __name__ == "__main__":
    main()
