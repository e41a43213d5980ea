# advice where a record of a listed file is its path and a number, warnings where it holds more or is a line

import json
from pathlib import Path

import torch
import torchaudio
import tqdm
from torch.utils.data import DataLoader, Dataset


class Folders(Dataset):
    def __init__(self, root, instruments):
        self.instruments = instruments
        self.recorded = {}  #! MEM402 advice
        for instrument in tqdm.tqdm(instruments):
            takes = []
            for take_path in sorted((Path(root) / instrument).glob("*.wav")):
                takes.append(take_path)
            self.recorded[instrument] = takes

    def __getitem__(self, i):
        return torchaudio.load(self.recorded[self.instruments[0]][i])


class Tracks(Dataset):
    def __init__(self, root):
        self.tracks = list(self.listed(Path(root)))  #! MEM402 advice

    def listed(self, root):
        for track_path in tqdm.tqdm(root.iterdir()):
            shortest = min(torchaudio.info(part).num_frames for part in track_path.iterdir())
            yield {"path": track_path, "frames": shortest}

    def __getitem__(self, i):
        return torchaudio.load(self.tracks[i]["path"] / "bass.wav")


class Texts(Dataset):
    def __init__(self, root):
        self.told = []  #! MEM402 warning
        for path in tqdm.tqdm(sorted(Path(root).glob("*.json"))):
            self.told.append({"path": path, "text": json.loads(path.read_text())})

    def __getitem__(self, i):
        return torch.tensor(len(self.told[i]["text"]))


class Lines(Dataset):
    def __init__(self, path):
        self.lines = []  #! MEM402 warning
        with open(path) as file:
            for _, line in enumerate(tqdm.tqdm(file)):
                self.lines.append(line)

    def __getitem__(self, i):
        return torch.tensor(len(self.lines[i]))


folders = DataLoader(Folders("a", ["bass", "drums"]), num_workers=4)
tracks = DataLoader(Tracks("b"), num_workers=4)
texts = DataLoader(Texts("c"), num_workers=4)
lines = DataLoader(Lines("d"), num_workers=4)
