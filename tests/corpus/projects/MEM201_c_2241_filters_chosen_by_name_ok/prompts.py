"""Spectrograms of prompts: the module chooses between functions, and neither has weights."""
import torch
import torchaudio
from filters import MelSpec


def prompts(files):
    mel = MelSpec(n_fft=512)
    kept = []
    for name in files:
        audio, rate = torchaudio.load(name)
        spec = mel(audio)
        spec = spec.squeeze(0)
        kept.append(spec)
    return kept


def main(files):
    mels = prompts(files)
    with torch.inference_mode():
        for m in mels:
            print(m.shape)


if __name__ == "__main__":
    main(["a.wav"])
