"""A spectrogram without weights, by one of two functions."""
import torch
from torch import nn
import torchaudio

_made = {}


def mel_a(waveform, n_fft=1024):
    if n_fft not in _made:
        _made[n_fft] = torchaudio.transforms.MelSpectrogram(n_fft=n_fft).to(waveform.device)
    return _made[n_fft](waveform)


def mel_b(waveform, n_fft=1024):
    return torch.stft(waveform, n_fft)


class MelSpec(nn.Module):
    def __init__(self, n_fft=1024, kind="a"):
        super().__init__()
        self.n_fft = n_fft
        if kind == "a":
            self.extractor = mel_a
        elif kind == "b":
            self.extractor = mel_b
        self.register_buffer("dummy", torch.tensor(0), persistent=False)

    def forward(self, wav):
        if self.dummy.device != wav.device:
            self.to(wav.device)
        return self.extractor(waveform=wav, n_fft=self.n_fft)
