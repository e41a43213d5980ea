# a warning for records with text, advice where only names of files and numbers are read of short lists

import csv
import json
import os

import torch
import torchaudio
from torch.utils.data import DataLoader, Dataset


class Speech(Dataset):
    def __init__(self, path):
        with open(path) as f:
            self.spoken = json.load(f)  #! MEM402 advice

    def __getitem__(self, i):
        entry = self.spoken[i]
        wave, rate = torchaudio.load(os.path.join("wav", entry[0]))
        return wave[:, : int(entry[1])]


class Noises(Dataset):
    def __init__(self, folder):
        self.recorded = []  #! MEM402 advice
        for name in os.listdir(folder):
            self.recorded.append([os.path.join(folder, name), len(name)])

    def __getitem__(self, i):
        return torchaudio.load(self.recorded[i][0])


class Rows(Speech):
    def __init__(self, path):
        with open(path) as f:
            self.rows = list(csv.DictReader(f))  #! MEM402 warning

    def __getitem__(self, i):
        return torchaudio.load(self.rows[i]["audio"])


class Captions(Dataset):
    def __init__(self, path):
        self.told = json.load(open(path))  #! MEM402 warning

    def __getitem__(self, i):
        entry = self.told[i]
        return torchaudio.load(entry["audio"]), torch.tensor(entry["tokens"])


loaders = [DataLoader(made, num_workers=8) for made in (Speech("a.json"), Noises("b"), Rows("d.csv"), Captions("c"))]
