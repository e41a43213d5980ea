import functools

import soundfile as sf
import torch
from torch.utils.data import DataLoader, Dataset


@functools.lru_cache(maxsize=8)
def read(path):
    return torch.from_numpy(sf.read(path, dtype="float32")[0])


@functools.cache
def vocabulary():
    return {c: i for i, c in enumerate("abcdefghijklmnopqrstuvwxyz ")}


class Mixes(Dataset):
    def __init__(self, speech, noise):
        self.speech, self.noise = speech, noise

    def __len__(self):
        return len(self.speech)

    def __getitem__(self, i):
        s = read(self.speech[i])[:64000]
        return s + 0.1 * read(self.noise[0])[:64000], vocabulary()["a"]


def main(speech, noise):
    net = torch.nn.Conv1d(1, 1, 9, padding=4)
    opt = torch.optim.Adam(net.parameters())
    for x, y in DataLoader(Mixes(speech, noise), 16, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(x[:, None]).abs().mean().backward()
        opt.step()
