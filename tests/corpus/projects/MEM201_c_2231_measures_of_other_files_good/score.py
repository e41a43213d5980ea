import sys

import soundfile
import torch

from measures.losses import SignalToNoise, Smoothing

snr = SignalToNoise()
smooth = Smoothing(9)


def score(pairs):
    for clean, noisy in pairs:
        a, b = (torch.from_numpy(soundfile.read(path)[0]).float() for path in (clean, noisy))
        print(clean, float(snr(a, b)))


def loudness(paths):
    for path in paths:
        wave = torch.from_numpy(soundfile.read(path)[0]).float()
        print(path, float(smooth(wave.view(1, 1, -1)).abs().max()))


if __name__ == "__main__":
    score(list(zip(sys.argv[1::2], sys.argv[2::2])))
    loudness(sys.argv[1:])
