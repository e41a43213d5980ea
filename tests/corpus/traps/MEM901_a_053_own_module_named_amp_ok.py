import torch
from mylib import amp
from mylib.losses import scale_loss


def train(model, loader, opt, audio):
    level = amp.level(audio)
    for x, y in loader:
        opt.zero_grad()
        loss = scale_loss((model(x) - y).abs().mean(), level)
        loss.backward()
        opt.step()
        if amp.clipped(audio):
            print("clipping at", level)


def spectrogram(wave):
    with amp.autocast():
        return torch.stft(wave, 512, return_complex=True).abs()
