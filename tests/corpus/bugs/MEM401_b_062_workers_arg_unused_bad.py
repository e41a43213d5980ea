import argparse
import os

import librosa
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Keywords(Dataset):
    def __init__(self, root, split):
        with open(os.path.join(root, split + ".txt")) as f:
            self.items = [l.strip().split(",") for l in f]
        self.root = root

    def __len__(self):
        return len(self.items)

    def __getitem__(self, idx):
        name, label = self.items[idx]
        wav, sr = librosa.load(os.path.join(self.root, name), sr=16000)
        mel = librosa.feature.melspectrogram(y=wav, sr=sr, n_mels=40)
        return torch.from_numpy(librosa.power_to_db(mel)).float(), int(label)


def collate(items):
    n = max(m.shape[1] for m, _ in items)
    x = torch.zeros(len(items), 40, n)
    for i, (m, _) in enumerate(items):
        x[i, :, :m.shape[1]] = m
    return x, torch.tensor([l for _, l in items])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root")
    ap.add_argument("--workers", type=int, default=6)
    ap.add_argument("--epochs", type=int, default=25)
    a = ap.parse_args()
    loader = DataLoader(Keywords(a.root, "train"), batch_size=64, shuffle=True, collate_fn=collate)  #! MEM401
    net = nn.Sequential(nn.Conv1d(40, 128, 5), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(128, 35)).cuda()
    opt = torch.optim.Adam(net.parameters())
    for e in range(a.epochs):
        acc = []
        for x, y in loader:
            out = net(x.cuda())
            loss = nn.functional.cross_entropy(out, y.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc.append((out.argmax(1).cpu() == y).float().mean().item())
        print(e, np.mean(acc))


if __name__ == "__main__":
    main()
