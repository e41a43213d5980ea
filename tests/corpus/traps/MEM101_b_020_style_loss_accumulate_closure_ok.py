import torch
from torch import optim


def run_style_transfer(cnn, style_losses, content_losses, img, steps=300, sw=1e6, cw=1):
    img.requires_grad_(True)
    optimizer = optim.LBFGS([img])
    run = [0]
    while run[0] <= steps:
        def closure():
            with torch.no_grad():
                img.clamp_(0, 1)
            optimizer.zero_grad()
            cnn(img)
            style_score = 0
            content_score = 0
            for sl in style_losses:
                style_score += sl.loss
            for cl in content_losses:
                content_score += cl.loss
            loss = sw * style_score + cw * content_score
            loss.backward()
            run[0] += 1
            if run[0] % 50 == 0:
                print(run, style_score.item(), content_score.item())
            return loss
        optimizer.step(closure)
    return img.detach()
