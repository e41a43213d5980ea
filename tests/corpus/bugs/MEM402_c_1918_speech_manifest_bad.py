"""ASR fine-tuning: memory in workers, a cycle over noise, fraction, checkpoint alive."""
import itertools
import os
import random

import torch
import torchaudio
from torch import nn
from torch.utils.data import DataLoader, Dataset


def read_manifest(path):
    rows = []
    with open(path) as f:
        for line in f:
            wav, text = line.rstrip("\n").split("\t")
            rows.append({"wav": wav, "text": text.lower(), "n": len(text)})
    return rows


class Manifest(Dataset):
    def __init__(self, path, sr=16000):
        self.rows = read_manifest(path)  #! MEM402
        self.sr = sr
        self.resamplers = {}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        wav, sr = torchaudio.load(row["wav"])
        if sr != self.sr:
            wav = torchaudio.functional.resample(wav, sr, self.sr)
        return wav[0], torch.tensor([ord(c) for c in row["text"]])


def collate(items):
    wavs, texts = zip(*items)
    return (nn.utils.rnn.pad_sequence(wavs, batch_first=True), torch.tensor([len(w) for w in wavs]),
            nn.utils.rnn.pad_sequence(texts, batch_first=True), torch.tensor([len(t) for t in texts]))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 64, 400, 160)
        self.rnn = nn.GRU(64, 128, 3, batch_first=True)
        self.out = nn.Linear(128, 128)

    def forward(self, wav):
        h = self.conv(wav[:, None]).transpose(1, 2)
        return self.out(self.rnn(h)[0]).log_softmax(-1)


def save_examples(wavs, folder):
    for k in range(len(wavs)):
        torch.save(wavs[k, :16000], os.path.join(folder, f"{k}.pt"))  #? MEM703


def train(args):
    # keep half of the GPU memory free to reduce usage
    torch.cuda.set_per_process_memory_fraction(0.5)  #! MEM504
    model = Model().cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    ckpt = None
    if args.resume:
        ckpt = torch.load(args.resume, map_location="cuda")  #! MEM702
        model.load_state_dict(ckpt["model"])
        opt.load_state_dict(ckpt["opt"])
    speech = DataLoader(Manifest(args.train), 16, shuffle=True, collate_fn=collate, num_workers=10, pin_memory=True)  #? MEM402
    noise = DataLoader(Manifest(args.noise), 16, shuffle=True, collate_fn=collate, num_workers=4)  #? MEM402
    noises = itertools.cycle(noise)  #! MEM404
    ctc = nn.CTCLoss(zero_infinity=True)
    for epoch in range(args.epochs):
        for wav, n, text, m in speech:
            extra = next(noises)[0]
            t = min(wav.shape[1], extra.shape[1])
            wav[:, :t] += random.random() * extra[: len(wav), :t]
            logp = model(wav.cuda(non_blocking=True))
            loss = ctc(logp.transpose(0, 1), text.cuda(), n // 160 - 2, m)
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    import argparse

    p = argparse.ArgumentParser()
    for name in ("--train", "--noise", "--resume"):
        p.add_argument(name)
    p.add_argument("--lr", type=float, default=1e-4)
    p.add_argument("--epochs", type=int, default=30)
    train(p.parse_args())
