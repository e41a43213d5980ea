import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


def gram(x):
    b, c, h, w = x.shape
    f = x.view(b * c, h * w)
    return f @ f.t() / (b * c * h * w)


def run_style_transfer(cnn, style_losses, content_losses, input_img, num_steps=300, style_weight=1e6):
    cnn.eval()
    input_img.requires_grad_(True)
    cnn.requires_grad_(False)
    optimizer = optim.LBFGS([input_img])
    run = [0]
    while run[0] <= num_steps:

        def closure():
            with torch.no_grad():
                input_img.clamp_(0, 1)
            optimizer.zero_grad()
            cnn(input_img)
            style_score = 0
            content_score = 0
            for sl in style_losses:
                style_score += sl.loss
            for cl in content_losses:
                content_score += cl.loss
            loss = style_score * style_weight + content_score
            loss.backward()
            run[0] += 1
            if run[0] % 50 == 0:
                print("run {}: style {:4f}".format(run[0], style_score.item()))
            return loss

        optimizer.step(closure)
    with torch.no_grad():
        input_img.clamp_(0, 1)
    return input_img
