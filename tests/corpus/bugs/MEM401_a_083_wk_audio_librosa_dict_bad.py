import librosa
import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils import data


class Speech(data.Dataset):
    def __init__(self, csv, sr=16000):
        self.df = pd.read_csv(csv)
        self.sr = sr

    def __len__(self):
        return len(self.df)

    def __getitem__(self, idx):
        row = self.df.iloc[idx]
        y, _ = librosa.load(row.path, sr=self.sr, duration=4.0)
        mel = librosa.feature.melspectrogram(y=y, sr=self.sr, n_mels=64)
        return torch.from_numpy(np.log(mel + 1e-6)).float(), int(row.label)


def main():
    ds = Speech("train.csv")
    params = {"batch_size": 32, "shuffle": True, "num_workers": 0}
    loader = data.DataLoader(ds, **params)  #! MEM401
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(128), nn.ReLU(), nn.Linear(128, 35)).cuda()
    net(torch.zeros(1, 64, 126).cuda())
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(30):
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
